import TrackEngine
package import TrackEngineSettings

/// Brings the layers of the configuration together: file, what was configured from afar, environment, and `--set` above all.
package struct ConfigurationLoader: Sendable {
    /// The file's path; none means that defaults are the lowest layer.
    package var file: String?
    /// What was given with `--set`, in order.
    package var options: [String]
    /// The process's environment.
    package var environment: [String: String]
    /// Where state goes unless the configuration says otherwise.
    package var stateDirectory: String

    private let program: Agent

    /// A loader; without a file `TRACKD_CONFIG` names one.
    package init(
        file: String? = nil, options: [String] = [], environment: [String: String], stateDirectory: String? = nil,
        program: Agent = .current
    ) {
        self.program = program
        self.file = file ?? environment[program.variablePrefix + "CONFIG"]
        self.options = options
        self.environment = environment
        self.stateDirectory = stateDirectory ?? StateDirectory.standard(program.name, environment: environment)
    }

    /// The configuration. It reads a file: not for the cooperative pool while the agent runs.
    ///
    /// - Throws: everything that is wrong with it, at once, with ``AgentConfigurationError/logFormat``.
    package func load() throws(AgentConfigurationError) -> AgentConfiguration {
        let text: FileText?
        do throws(AgentConfigurationError) {
            text = try readFile()
        } catch {
            throw error.told(as: formatWithoutFile)
        }
        var configuration = try decode(text)
        // The state directory is known only now. What does not fit the file any more holds no longer.
        let file = RemoteFile(in: configuration.store.path)
        configuration.remote = file.standing
        guard let layer = file.layer(configuration.remote.values) else { return configuration }
        do throws(AgentConfigurationError) {
            var changed = try decode(text, above: layer)
            changed.remote = configuration.remote
            return changed
        } catch {
            let reason = error.problems.first?.message ?? "expected another configuration"
            configuration.remote.problem =
                "\(file.path) does not fit the configuration, and nothing of it holds: \(reason)"
            return configuration
        }
    }

    /// The configuration with values that somebody far away wants it to have.
    ///
    /// - Throws: as ``load()``, and what is wrong with the values.
    func load(with layer: ConfigurationNode?) throws(AgentConfigurationError) -> AgentConfiguration {
        try decode(try readFile(), above: layer)
    }

    /// The configuration as `run` takes it: where there is no file and no sink, with the sinks that nobody has to ask for.
    ///
    /// - Throws: as ``load()``.
    package func loadForRun() throws(AgentConfigurationError) -> AgentConfiguration {
        var configuration = try load()
        if file == nil, configuration.sinks.isEmpty { configuration.addUnaskedSinks(of: program) }
        return configuration
    }

    /// The configuration with a text for its lowest layer, without touching any file.
    ///
    /// - Throws: as ``load()``.
    package func decode(
        _ text: FileText?, above layer: ConfigurationNode? = nil
    ) throws(AgentConfigurationError) -> AgentConfiguration {
        let report = ProblemReport()
        report.allowsSecretsInFile = text?.isPrivate ?? false
        report.variablePrefix = program.variablePrefix
        let lowest: ConfigurationNode?
        do throws(AgentConfigurationError) {
            lowest = try text.flatMap { text throws(AgentConfigurationError) in
                try YAMLReader.read(text.bytes, name: text.name)
            }
        } catch {
            throw error.told(as: formatWithoutFile)
        }
        let configuration = combine([layer, lowest].compactMap(\.self), report)
        do throws(AgentConfigurationError) {
            try report.finish()
        } catch {
            throw error.told(as: configuration.log.format)
        }
        return configuration
    }

    /// What the layers come to; values that are wrong have their defaults and are reported.
    private func combine(_ lowest: [ConfigurationNode], _ report: ProblemReport) -> AgentConfiguration {
        var layers = ConfigurationOverride.layers(options: options, report)
        layers += ConfigurationOverride.layers(environment: environment, prefix: program.variablePrefix, report)
        layers += lowest
        var root = TableDecoder(path: "", layers: layers, report)
        var configuration = AgentConfiguration.decode(&root, stateDirectory: stateDirectory, program: program)
        configuration.places = ConfigurationPlaces(layers)
        return configuration
    }

    /// The log's format where the file says nothing that can be read.
    private var formatWithoutFile: LogSettings.Format { combine([], ProblemReport()).log.format }

    /// What a configuration file holds.
    package struct FileText: Sendable {
        /// What messages call it.
        package var name: String
        package var bytes: [UInt8]
        /// Whether nobody but its owner can read it, so that it may hold secrets.
        package var isPrivate: Bool

        package init(name: String, bytes: [UInt8], isPrivate: Bool) {
            self.name = name
            self.bytes = bytes
            self.isPrivate = isPrivate
        }
    }

    /// Fetches every secret, so that none turns out to be missing later.
    ///
    /// - Throws: all secrets that cannot be had, at once.
    package func checkSecrets(of configuration: AgentConfiguration) throws(AgentConfigurationError) {
        let reader = SecretReader(environment: environment)
        var problems: [LocatedProblem] = []
        for (key, reference) in configuration.secrets {
            do throws(SecretFailure) {
                _ = try reader.read(reference)
            } catch {
                let problem = ConfigurationProblem(key: key, value: "***", expectation: error.expectation)
                problems.append(LocatedProblem(configuration.places.origin(of: key), problem))
            }
        }
        guard problems.isEmpty else { throw AgentConfigurationError(problems) }
    }

    private func readFile() throws(AgentConfigurationError) -> FileText? {
        guard let file else { return nil }
        do throws(SmallFile.Failure) {
            let content = try SmallFile.read(file, limit: YAMLReader.maximumBytes, [.followsLinks, .takesPipes])
            return FileText(name: file, bytes: content.bytes, isPrivate: content.isPrivate)
        } catch {
            throw AgentConfigurationError(LocatedProblem(.file(name: file, line: 0), "expected \(error.expectation)"))
        }
    }
}
