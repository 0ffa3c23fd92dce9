package import Logging
package import TrackEngine

/// What sources and sinks may be made with.
package struct CompositionContext: Sendable {
    /// The tracked object's name.
    package var device: DeviceID
    /// Fetches secrets, now and while the agent runs.
    package let secrets: AgentSecrets
    /// Where the row that is being composed stands in the configuration, such as `sinks.home.`.
    var prefix = ""
    /// Where plugins log.
    package var logger: Logger
    /// The rhythm of the sink that is being composed.
    package var sync = SyncConfiguration()
    /// Whether no sink of the same type stands before this one.
    package var isFirstOfType = true

    package init(device: DeviceID, secrets: SecretReader, logger: Logger) {
        self.device = device
        self.secrets = AgentSecrets(secrets)
        self.logger = logger
    }
}

extension CompositionContext {
    /// The secret behind a reference.
    ///
    /// - Throws: a problem under the key, without the secret.
    func secret(_ key: String, _ reference: SecretReference) throws(ConfigurationError) -> Secret {
        do throws(SecretReader.Failure) { return try secrets.take(prefix + key, reference) } catch {
            throw error.problem(key)
        }
    }

    /// The file of a systemd credential, for a plugin that reads it itself.
    ///
    /// - Throws: a problem under the key.
    func credentialPath(_ key: String, _ name: String) throws(ConfigurationError) -> String {
        do throws(SecretReader.Failure) { return try secrets.credentialPath(name) } catch { throw error.problem(key) }
    }
}

extension SecretReader.Failure {
    fileprivate func problem(_ key: String) -> ConfigurationError {
        ConfigurationError(problems: [ConfigurationProblem(key: key, value: "***", expectation: expectation)])
    }
}

extension CompositionContext {
    /// A secret that ``secret(_:_:)`` has read before, as it is now.
    func renewed(_ key: String) async -> Secret? { await secrets.current(prefix + key) }
}

extension SourceConfiguration {
    /// The sources that this row of the configuration describes: as many as it has vehicles, else one.
    package func makeSources(_ context: CompositionContext) throws(ConfigurationError) -> [any FixSource] {
        try kind.makeSources(named: name, context)
    }
}

extension SinkConfiguration {
    /// The sink that this row of the configuration describes, with its rhythm.
    package func makeSink(_ context: CompositionContext) throws(ConfigurationError) -> SinkBinding {
        var context = context
        context.prefix = "sinks.\(name)."
        context.sync = sync
        do throws(ConfigurationError) {
            return SinkBinding(try kind.makeSink(named: name, context), sync: sync)
        } catch {
            throw ConfigurationError(
                problems: error.problems.map { problem in
                    ConfigurationProblem(
                        key: "sinks.\(name).\(problem.key)", value: problem.value, expectation: problem.expectation)
                })
        }
    }
}
