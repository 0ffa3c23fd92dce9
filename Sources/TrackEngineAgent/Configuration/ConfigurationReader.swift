import TrackEngine
package import TrackEngineSettings

/// Combines the layers of the configuration: file, remote settings, environment, and `--set` on top.
package struct ConfigurationReader: Sendable {
    /// The file's path; without one, defaults are the lowest layer.
    package var file: String?
    /// The `--set` options, in order.
    package var options: [String]
    /// The process's environment.
    package var environment: [String: String]
    /// The state directory, unless the configuration has another one.
    package var stateDirectory: String
    /// The demonstration that takes the place of a file where there is none.
    package var demonstration: SourcePlugin.Demonstration?

    private let program: Agent

    /// Makes a loader; without a file, `TRACKD_CONFIG` names one.
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

    /// Loads the configuration. Reads a file: not for the cooperative pool while the agent runs.
    ///
    /// - Parameter undoingTrial: whether a remote change on trial is left out, as at a start.
    /// - Throws: all problems together, with ``AgentConfigurationError/logFormat``.
    package func load(undoingTrial: Bool = false) throws(AgentConfigurationError) -> AgentConfiguration {
        let text: FileText?
        do throws(AgentConfigurationError) {
            text = try readFile()
        } catch {
            throw error.told(as: formatWithoutFile)
        }
        let lowest = try decode(text)
        // The state directory is known only now.
        let file = RemoteFile(in: lowest.store.path)
        let standing = undoingTrial ? file.standing.forNextStart : file.standing
        return try put(standing, of: file, above: text, lowest)
    }

    /// Loads the configuration with requested remote values. Other remote values that are not permitted, or no longer
    /// valid, are left out; they are no reason to refuse the request.
    ///
    /// - Parameter keys: the keys that the request changes.
    /// - Throws: as ``load(undoingTrial:)``, and the problems of the values of the keys.
    package func load(
        with values: RemoteValues, changing keys: Set<String>
    ) throws(AgentConfigurationError) -> AgentConfiguration {
        let text = try readFile()
        let lowest = try decode(text)
        let file = RemoteFile(in: lowest.store.path)
        for key in keys.sorted() {
            guard let objection = RemoteValues.objection(to: key, allowed: lowest.control.remoteKeys) else { continue }
            throw AgentConfigurationError(ReportedProblem(file.origin, "\(key): \(objection)"))
        }
        var remote = RemoteStatus(values)
        remote.withheld = try put(RemoteStatus(values.without(keys)), of: file, above: text, lowest).remote.withheld
        var configuration = try decode(text, above: file.layer(values.without(remote.withheld.keys)))
        configuration.remote = remote
        return configuration
    }

    /// Adds the saved values above the file, as far as they are permitted. A value that no longer fits the file is
    /// left out.
    private func put(
        _ standing: RemoteStatus, of file: RemoteFile, above text: FileText?, _ lowest: AgentConfiguration
    ) throws(AgentConfigurationError) -> AgentConfiguration {
        var standing = standing
        var holding = RemoteValues()
        for (key, entry) in standing.values.values {
            standing.withheld[key] = RemoteValues.objection(to: key, allowed: lowest.control.remoteKeys)
            if standing.withheld[key] == nil { holding.values[key] = entry }
        }
        var configuration = lowest
        if let layer = file.layer(holding) {
            do throws(AgentConfigurationError) { configuration = try decode(text, above: layer) } catch {
                configuration = putSingly(holding, of: file, above: text, lowest, &standing)
            }
        }
        configuration.remote = standing
        return configuration
    }

    /// Adds one value after the other, and leaves out those that do not fit.
    private func putSingly(
        _ values: RemoteValues, of file: RemoteFile, above text: FileText?, _ lowest: AgentConfiguration,
        _ standing: inout RemoteStatus
    ) -> AgentConfiguration {
        var configuration = lowest
        var holding = RemoteValues()
        for (key, entry) in values.values.sorted(by: { $0.key < $1.key }) {
            var next = holding
            next.values[key] = entry
            do throws(AgentConfigurationError) {
                configuration = try decode(text, above: file.layer(next))
                holding = next
            } catch {
                let problem = error.problems.first?.withoutValue ?? "expected another configuration"
                let isOwn = problem.hasPrefix("\(key): ")
                standing.withheld[key] = isOwn ? String(problem.dropFirst(key.utf8.count + 2)) : problem
            }
        }
        return configuration
    }

    /// The configuration for `run`: without values on trial and, if there is neither a file nor a sink, with the
    /// default sinks.
    ///
    /// - Throws: as ``load(undoingTrial:)``.
    package func loadForRun() throws(AgentConfigurationError) -> AgentConfiguration {
        var configuration = try load(undoingTrial: true)
        if file == nil, configuration.sinks.isEmpty { configuration.addUnaskedSinks(of: program) }
        return configuration
    }

    /// Decodes the configuration with a text as its lowest layer, without reading any file.
    ///
    /// - Throws: as ``load(undoingTrial:)``.
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

    /// Combines the layers. Invalid values have their defaults and are reported.
    private func combine(_ lowest: [ConfigurationNode], _ report: ProblemReport) -> AgentConfiguration {
        var layers = ConfigurationOverride.layers(options: options, report)
        layers += ConfigurationOverride.layers(environment: environment, prefix: program.variablePrefix, report)
        layers += lowest
        var root = TableDecoder(path: "", layers: layers, report)
        var configuration = AgentConfiguration.decode(&root, stateDirectory: stateDirectory, program: program)
        configuration.places = ConfigurationOriginTable(layers)
        return configuration
    }

    /// The log's format if the file contains no readable one.
    private var formatWithoutFile: LogSettings.Format { combine([], ProblemReport()).log.format }

    /// The content of a configuration file.
    package struct FileText: Sendable {
        /// The name of the file in messages.
        package var name: String
        package var bytes: [UInt8]
        /// Whether only its owner can read the file, so it may contain secrets.
        package var isPrivate: Bool

        package init(name: String, bytes: [UInt8], isPrivate: Bool) {
            self.name = name
            self.bytes = bytes
            self.isPrivate = isPrivate
        }
    }

    /// Reads every secret, so a missing one is found at once.
    ///
    /// - Throws: all secrets that cannot be read, together.
    package func checkSecrets(of configuration: AgentConfiguration) throws(AgentConfigurationError) {
        let reader = SecretReader(environment: environment)
        var problems: [ReportedProblem] = []
        for (key, reference) in configuration.secrets {
            do throws(SecretFailure) {
                _ = try reader.read(reference)
            } catch {
                let problem = ConfigurationProblem(key: key, value: "***", expectation: error.expectation)
                problems.append(ReportedProblem(configuration.places.origin(of: key), problem))
            }
        }
        guard problems.isEmpty else { throw AgentConfigurationError(problems) }
    }

    private func readFile() throws(AgentConfigurationError) -> FileText? {
        guard let file else {
            return demonstration.map {
                FileText(name: "demonstration", bytes: Array($0.configuration.utf8), isPrivate: false)
            }
        }
        do throws(FileContent.Failure) {
            let content = try FileContent.read(file, limit: YAMLReader.maximumBytes, [.followsLinks, .takesPipes])
            return FileText(name: file, bytes: content.bytes, isPrivate: content.status.isPrivate)
        } catch {
            throw AgentConfigurationError(ReportedProblem(.file(name: file, line: 0), "expected \(error.expectation)"))
        }
    }
}
