import Logging
import TrackEngine
import TrackEngineSettings

/// Assembles an agent as `trackd run` does, up to the point where files would be opened or made, or data sent.
///
/// The locations of the store and the control socket are checked. Sources, sinks and tracker are made and released
/// again, which reads the secrets, the TLS files and the beginnings of the recorded files that the configuration
/// names. The store is in memory, no file is written, gpsd is not contacted, and no sink connects.
package struct ConfigurationTrial: Sendable {
    private let configuration: AgentConfiguration
    private let environment: [String: String]
    private let looksAtStore: Bool

    /// A trial of a configuration.
    ///
    /// - Parameter looksAtStore: whether to check that the key is right for the store's files, and that this user has
    ///   access to the sinks' files. Not for a process that has the store open: closing another descriptor of a file
    ///   releases the locks that SQLite has on it.
    package init(_ configuration: AgentConfiguration, environment: [String: String], looksAtStore: Bool = false) {
        self.configuration = configuration
        self.environment = environment
        self.looksAtStore = looksAtStore
    }

    /// Assembles the agent once.
    ///
    /// - Returns: the warnings about a valid configuration.
    /// - Throws: all problems that `trackd run` would refuse with status 78, or would wait for, together.
    @discardableResult
    package func run() async throws(AgentConfigurationError) -> [ConfigurationWarning] {
        let (sourceCount, found) = await compose()
        let places = StatePaths(configuration)
        var problems = places.problems
        if problems.isEmpty, looksAtStore { problems = places.sinkFileProblems }
        problems += secretProblems + found + storeProblems
        guard problems.isEmpty else { throw AgentConfigurationError(problems) }
        return configuration.cautions(sourceCount: sourceCount)
    }

    /// All secrets that cannot be read. A sink stops at its first one, and the user needs all of them.
    private var secretProblems: [ReportedProblem] {
        do throws(AgentConfigurationError) {
            try ConfigurationReader(environment: environment, stateDirectory: "/").checkSecrets(of: configuration)
            return []
        } catch {
            return error.problems
        }
    }

    /// The problems of the store's secrets: a readable secret may be no key, or not the key of the existing store.
    private var storeProblems: [ReportedProblem] {
        guard secretProblems.isEmpty else { return [] }
        let store = configuration.store
        let secrets = AgentSecretReader(SecretReader(environment: environment))
        do throws(ConfigurationError) {
            try store.kind.checkSecrets(secrets)
            if looksAtStore { try store.kind.checkKey(in: store.path, secrets: secrets) }
            return []
        } catch {
            return error.problems.map { problem in
                let problem = ConfigurationProblem(
                    key: "store." + problem.key, value: problem.value, expectation: problem.expectation)
                return ReportedProblem(configuration.places.origin(of: problem.key), problem)
            }
        }
    }

    /// The number of sources of a run, and the problems.
    private func compose() async -> (sourceCount: Int, problems: [ReportedProblem]) {
        let logger = Logger(label: Agent.current.name, factory: { _ in SwiftLogNoOpLogHandler() })
        let device = DeviceIdentity.present(configuration)
        var context = PluginContext(
            device: device, secrets: AgentSecretReader(SecretReader(environment: environment)), logger: logger,
            programVersion: Agent.current.version)
        context.stateDirectory = configuration.store.path
        do throws(AgentStartError) {
            let parts = try await AgentPluginSet.make(sources, configuration.sinks, configuration.places, context)
            let problems = trackerProblems(device, parts)
            await parts.close()
            // Without configured sources, a run uses the first that is present.
            return (configuration.sources == .automatic ? 1 : parts.ownSourceCount, problems)
        } catch {
            guard case .configuration(let error) = error else { return (0, []) }
            return (0, error.problems)
        }
    }

    private func trackerProblems(_ device: DeviceID, _ parts: AgentPluginSet) -> [ReportedProblem] {
        do throws(ConfigurationError) {
            var trial = Tracker.Configuration(
                device: device, store: InMemoryFixStore(), sources: parts.sources, sinks: parts.sinks)
            (trial.recording, trial.retention) = (configuration.tracking, configuration.store.retention)
            trial.detector = try configuration.events.makeDetector(of: device)
            _ = try Tracker(configuration: trial)
            return []
        } catch {
            return AgentConfigurationError(error, configuration.places).problems
        }
    }

    private var sources: [SourceConfiguration] {
        switch configuration.sources {
        case .listed(let sources): sources
        case .automatic:
            Agent.current.plugins.sources.filter { $0.detection != nil }.map {
                SourceConfiguration(name: SourceID(rawValue: $0.type), kind: $0.settings.init())
            }
        }
    }
}
