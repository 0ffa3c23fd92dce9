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
            _ = try ValidatedConfiguration(configuration(device: context.device, credentials: standIns), id: name)
            return []
        } catch {
            return error.problems.map(inWordsOfSettings)
        }
    }

    /// The sink's configuration.
    package func configuration(device: DeviceID, credentials: OverlandSink.Credentials) -> OverlandSink.Configuration {
        var sink = OverlandSink.Configuration(url: address, deviceID: self.device(device))
        sink.profile = profile.option
        sink.method = method
        sink.token = credentials.token
        sink.basicAuthentication = credentials.basicAuthentication
        sink.headers = credentials.headers
        sink.httpTimeout = .milliseconds(httpTimeout)
        sink.success = success.map(\.option)
        sink.timestampPrecision = timestamps == .milliseconds ? .milliseconds : .seconds
        sink.integerSpeed = integerSpeed
        sink.unknownBattery = battery.option
        let knowsEvents = preset?.parts.knowsEvents ?? true
        sink.events = RecordKinds(events.filter { knowsEvents || $0 == .heartbeat }.map(\.kind))
        sink.assumedAccuracy = assumedAccuracy
        sink.latestOnly = latestOnly
        sink.trackingStatistics = trackingStatistics
        sink.desiredAccuracy = desiredAccuracy
        sink.uniqueID = uniqueID
        sink.takesSettings = takesSettings
        sink.maximumBodyLength = maximumBodyLength
        sink.tokenParameter = tokenParameter
        sink.tls = tlsOptions
        sink.allowInsecure = allowInsecure
        return sink
    }
}

extension OverlandSettings.Profile {
    var option: OverlandSink.Configuration.Profile {
        switch self {
        case .overland: .overland
        case .trace: .trace
        case .calmgeo: .calmgeo
        }
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

extension OverlandSettings.SuccessRule {
    var option: OverlandSink.Configuration.SuccessRule {
        switch self {
        case .ok: .resultOK
        case .any2xx: .any2xx
        }
    }
}

extension OverlandSettings.BatteryStyle {
    var option: OverlandSink.Configuration.UnknownBattery {
        switch self {
        case .asOverland: .unknown
        case .omit: .omitted
        case .mains: .mains
        }
    }
}
