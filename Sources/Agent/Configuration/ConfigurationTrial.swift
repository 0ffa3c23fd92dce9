import Logging
import TrackEngine
import TrackEngineSettings

/// Puts an agent together as `trackd run` does, up to the point where something would be opened, made or sent.
///
/// The places for store and control socket are looked at. Sources, sinks and tracker are made, which reads the secrets,
/// the TLS files and the beginnings of the recorded files that the configuration names, and released again. The store is one in memory, no file is written, nobody is asked whether gpsd answers, and no sink connects.
package struct ConfigurationTrial: Sendable {
    private let configuration: AgentConfiguration
    private let environment: [String: String]
    private let looksAtStore: Bool

    /// A trial of a configuration.
    ///
    /// - Parameter looksAtStore: whether the store's files are looked at, as to whether its key is theirs, and those of sinks, as to
    ///   whether this user may have them. Not for a process that
    ///   has the store open: to close another descriptor of a file releases the locks that SQLite has on it.
    package init(_ configuration: AgentConfiguration, environment: [String: String], looksAtStore: Bool = false) {
        self.configuration = configuration
        self.environment = environment
        self.looksAtStore = looksAtStore
    }

    /// Composes everything once.
    ///
    /// - Returns: what a person should know about a configuration that can be used.
    /// - Throws: everything that `trackd run` would refuse with status 78, and what it would wait for, at once.
    @discardableResult
    package func run() async throws(AgentConfigurationError) -> [ConfigurationCaution] {
        let (sourceCount, found) = await compose()
        let places = StatePlaces(configuration)
        var problems = places.problems
        if problems.isEmpty, looksAtStore { problems = places.sinkFileProblems }
        problems += secretProblems + found + storeProblems
        guard problems.isEmpty else { throw AgentConfigurationError(problems) }
        return configuration.cautions(sourceCount: sourceCount)
    }

    /// Sinks stop at their first secret that cannot be had; a person wants to know them all.
    private var secretProblems: [LocatedProblem] {
        do throws(AgentConfigurationError) {
            try ConfigurationLoader(environment: environment, stateDirectory: "/").checkSecrets(of: configuration)
            return []
        } catch {
            return error.problems
        }
    }

    /// A secret that can be read may still be none for the store, or not for the one that is there.
    private var storeProblems: [LocatedProblem] {
        guard secretProblems.isEmpty else { return [] }
        let store = configuration.store
        let secrets = AgentSecrets(SecretReader(environment: environment))
        do throws(ConfigurationError) {
            try store.kind.checkSecrets(secrets)
            if looksAtStore { try store.kind.checkKey(in: store.path, secrets: secrets) }
            return []
        } catch {
            return error.problems.map { problem in
                let problem = ConfigurationProblem(
                    key: "store." + problem.key, value: problem.value, expectation: problem.expectation)
                return LocatedProblem(configuration.places.origin(of: problem.key), problem)
            }
        }
    }

    /// How many sources a run has, and what is wrong.
    private func compose() async -> (sourceCount: Int, problems: [LocatedProblem]) {
        let logger = Logger(label: Agent.current.name, factory: { _ in SwiftLogNoOpLogHandler() })
        let device = DeviceIdentity.present(configuration)
        var context = PluginContext(
            device: device, secrets: AgentSecrets(SecretReader(environment: environment)), logger: logger,
            programVersion: Agent.current.version)
        context.stateDirectory = configuration.store.path
        do throws(AgentStartError) {
            let parts = try await AgentParts.make(sources, configuration.sinks, configuration.places, context)
            let problems = trackerProblems(device, parts, logger)
            await parts.close()
            // Of those that are looked for without a configuration a run takes the first that is there.
            return (configuration.sources == .automatic ? 1 : parts.ownSourceCount, problems)
        } catch {
            guard case .configuration(let error) = error else { return (0, []) }
            return (0, error.problems)
        }
    }

    private func trackerProblems(_ device: DeviceID, _ parts: AgentParts, _ logger: Logger) -> [LocatedProblem] {
        do throws(ConfigurationError) {
            _ = try Tracker(
                configuration: configuration.tracking, retention: configuration.store.retention, device: device,
                store: InMemoryFixStore(), sources: parts.sources, sinks: parts.sinks,
                detector: configuration.events.makeDetector(of: device), logger: logger)
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
