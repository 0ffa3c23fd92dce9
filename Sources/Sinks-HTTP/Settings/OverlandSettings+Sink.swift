package import TrackEngine
package import TrackEngineSettings

extension OverlandSettings {
    package func makeSink(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> any FixSink {
        let credentials: OverlandSink.Credentials
        do throws(ConfigurationError) { credentials = try self.credentials(context) } catch {
            // The error for a missing secret also lists all other problems.
            throw ConfigurationError(problems: error.problems + problemsBesideSecrets(named: name, context))
        }
        let configuration = configuration(device: context.device, credentials: credentials)
        do throws(ConfigurationError) {
            return try OverlandSink(
                id: name, configuration: configuration, credentials: { await renew(credentials, context) },
                tokens: accessTokens(of: name, context))
        } catch {
            throw ConfigurationError(problems: error.problems.map(inWordsOfSettings))
        }
    }

    private func problemsBesideSecrets(named name: SinkID, _ context: PluginContext) -> [ConfigurationProblem] {
        do throws(ConfigurationError) {
            _ = try OverlandEndpoint(configuration(device: context.device, credentials: standIns), id: name)
            return []
        } catch {
            return error.problems.map(inWordsOfSettings)
        }
    }

    /// The sink's configuration.
    package func configuration(device: DeviceID, credentials: OverlandSink.Credentials) -> OverlandSink.Configuration {
        var sink = configuration
        (sink.url, sink.deviceID) = (address, self.device(device))
        (sink.token, sink.basicAuthentication) = (credentials.token, credentials.basicAuthentication)
        sink.headers = credentials.headers
        let knowsEvents = preset?.parts.knowsEvents ?? true
        sink.events = RecordKinds(events.filter { knowsEvents || $0 == .heartbeat }.map(\.kind))
        return sink
    }
}

extension OverlandSettings.EventKind {
    fileprivate var kind: RecordKinds {
        switch self {
        case .visit: .visit
        case .trip: .trip
        case .action: .action
        case .heartbeat: .heartbeat
        }
    }
}
