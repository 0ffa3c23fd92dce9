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
    /// - Parameter undoingTrial: whether a change from afar that is on trial is left out, as by a start.
    /// - Throws: everything that is wrong with it, at once, with ``AgentConfigurationError/logFormat``.
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

    /// The configuration with values that somebody far away wants it to have. Of the others those do not hold that may not, or do
    /// not fit; they are no reason to refuse these.
    ///
    /// - Parameter keys: those that are to have another value.
    /// - Throws: as ``load()``, and what is wrong with the values of the keys.
    package func load(
        with values: RemoteValues, changing keys: Set<String>
    ) throws(AgentConfigurationError) -> AgentConfiguration {
        let text = try readFile()
        let lowest = try decode(text)
        let file = RemoteFile(in: lowest.store.path)
        for key in keys.sorted() {
            guard let objection = RemoteValues.objection(to: key, allowed: lowest.control.remoteKeys) else { continue }
            throw AgentConfigurationError(LocatedProblem(file.origin, "\(key): \(objection)"))
        }
        var remote = RemoteStanding(values)
        remote.withheld = try put(RemoteStanding(values.without(keys)), of: file, above: text, lowest).remote.withheld
        var configuration = try decode(text, above: file.layer(values.without(remote.withheld.keys)))
        configuration.remote = remote
        return configuration
    }

    /// Puts what is kept above the file, as far as it may be changed and fits; what does not fit the file any more holds no longer.
    private func put(
        _ standing: RemoteStanding, of file: RemoteFile, above text: FileText?, _ lowest: AgentConfiguration
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

    /// Puts one value after the other, and leaves out those that do not fit.
    private func putSingly(
        _ values: RemoteValues, of file: RemoteFile, above text: FileText?, _ lowest: AgentConfiguration,
        _ standing: inout RemoteStanding
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

    /// The configuration as `run` takes it: where there is no file and no sink, with the sinks that nobody has to ask for, and without
    /// what is on trial.
    ///
    /// - Throws: as ``load()``.
    package func loadForRun() throws(AgentConfigurationError) -> AgentConfiguration {
        var configuration = try load(undoingTrial: true)
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
