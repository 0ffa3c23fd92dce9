package import TrackEngine
package import TrackEngineSettings

extension HTTPSettings {
    package mutating func check(_ table: inout TableDecoder) {
        rejectTokens(in: &table)
        let lacksPreset = configuration.preset == nil && table.node("preset").map { !$0.isNull } == true
        guard !url.isEmpty, !lacksPreset else { return }  // missing or unknown, and reported
        for problem in configuration(device: "device", credentials: standIns).problems {
            table.reject(inWordsOfSettings(problem))
        }
    }

    /// Translates a problem. The address may be a template, which the shared wording cannot mask.
    func inWordsOfSettings(_ problem: ConfigurationProblem) -> ConfigurationProblem {
        problem.key == "url" ? problem : inWordsOfCredentials(problem)
    }

    package func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink {
        let credentials = try credentials(context)
        do throws(ConfigurationError) {
            return try HTTPSink(
                id: name, configuration: configuration(device: context.device, credentials: credentials),
                credentials: { await renew(credentials, context) }, tokens: accessTokens(of: name, context))
        } catch {
            throw ConfigurationError(problems: error.problems.map(inWordsOfSettings))
        }
    }

    /// The sink's configuration.
    package func configuration(device: DeviceID, credentials: RequestCredentials) -> HTTPSink.Configuration {
        var sink = configuration
        (sink.deviceID, sink.credentials) = (self.device(device), credentials)
        (sink.kinds, sink.places, sink.success) = (RecordKinds(kinds.map(\.kind)), Set(places), success.option)
        return sink
    }
}

extension HTTPSettings.Success {
    /// The rule; `nil` if no part is set.
    fileprivate var option: HTTPSink.Configuration.SuccessRule? {
        guard self != Self() else { return nil }
        var rule = HTTPSink.Configuration.SuccessRule()
        (rule.status, rule.path, rule.value, rule.contains) = (status, path, value, contains)
        return rule
    }
}
