import TrackEngine

/// Brings the layers of the configuration together: file, environment above it, `--set` above both.
package struct ConfigurationLoader: Sendable {
    /// The file's path; none means that defaults are the lowest layer.
    package var file: String?
    /// What was given with `--set`, in order.
    package var options: [String]
    /// The process's environment.
    package var environment: [String: String]
    /// Where state goes unless the configuration says otherwise.
    package var stateDirectory: String

    /// A loader; without a file `TRACKD_CONFIG` names one.
    package init(
        file: String? = nil, options: [String] = [], environment: [String: String], stateDirectory: String? = nil
    ) {
        self.file = file ?? environment["TRACKD_CONFIG"]
        self.options = options
        self.environment = environment
        self.stateDirectory = stateDirectory ?? StateDirectory.standard(environment: environment)
    }

    /// The configuration. It reads a file: not for the cooperative pool while the agent runs.
    ///
    /// - Throws: everything that is wrong with it, at once.
    package func load() throws(AgentConfigurationError) -> AgentConfiguration {
        let report = ProblemReport()
        let lowest = try readFile(report)
        let layers =
            ConfigurationOverride.layers(options: options, report)
            + ConfigurationOverride.layers(environment: environment, report) + lowest
        var root = TableDecoder(path: "", layers: layers, report)
        let configuration = AgentConfiguration.decode(&root, stateDirectory: stateDirectory)
        try report.finish()
        return configuration
    }

    /// Reads a file's text alone, without environment and options, as it will be read once it has been written.
    static func decode(
        _ bytes: [UInt8], name: String, isPrivate: Bool
    ) throws(AgentConfigurationError) -> AgentConfiguration {
        let report = ProblemReport()
        report.allowsSecretsInFile = isPrivate
        let layers = try YAMLReader.read(bytes, name: name).map { [$0] } ?? []
        var root = TableDecoder(path: "", layers: layers, report)
        let configuration = AgentConfiguration.decode(&root, stateDirectory: "/var/lib/trackd")
        try report.finish()
        return configuration
    }

    /// Fetches every secret, so that none turns out to be missing later.
    ///
    /// - Throws: all secrets that cannot be had, at once.
    package func checkSecrets(of configuration: AgentConfiguration) throws(AgentConfigurationError) {
        let reader = SecretReader(environment: environment)
        var problems: [LocatedProblem] = []
        for (key, reference) in configuration.secrets {
            do throws(SecretReader.Failure) {
                _ = try reader.read(reference)
            } catch {
                problems.append(
                    LocatedProblem(.none, ConfigurationProblem(key: key, value: "***", expectation: error.expectation)))
            }
        }
        guard problems.isEmpty else { throw AgentConfigurationError(problems) }
    }

    private func readFile(_ report: ProblemReport) throws(AgentConfigurationError) -> [ConfigurationNode] {
        guard let file else { return [] }
        let content: SmallFile
        do throws(SmallFile.Failure) {
            content = try SmallFile.read(file, limit: YAMLReader.maximumBytes, [.followsLinks, .takesPipes])
        } catch {
            throw AgentConfigurationError(
                LocatedProblem(.file(name: file, line: 0), "expected \(error.expectation)"))
        }
        report.allowsSecretsInFile = content.isPrivate
        return try YAMLReader.read(content.bytes, name: file).map { [$0] } ?? []
    }
}
