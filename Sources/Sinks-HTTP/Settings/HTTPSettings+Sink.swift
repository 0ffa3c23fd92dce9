package import TrackEngine
package import TrackEngineSettings

extension HTTPSettings {
    package mutating func check(_ table: inout TableDecoder) {
        rejectTokens(in: &table)
        let lacksPreset = preset == nil && table.node("preset").map { !$0.isNull } == true
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
        var sink = HTTPSink.Configuration(url: url, deviceID: self.device(device))
        sink.preset = preset
        sink.method = method
        sink.format = format
        sink.body = body
        sink.record = record
        sink.kinds = RecordKinds(kinds.map(\.kind))
        sink.places = Set(places)
        sink.success = success.option
        sink.credentials = credentials
        sink.tls = tlsOptions
        sink.allowInsecure = allowInsecure
        sink.httpTimeout = .milliseconds(httpTimeout)
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
