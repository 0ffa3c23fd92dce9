package import Logging
package import TrackEngine
import TrackEngineSQLite

/// An agent put together and not yet running: store, sources, sinks and the tracker between them.
///
/// Everything that can be wrong with the configuration is found before the store is opened, so nothing is half started.
package struct Agent: Sendable {
    /// What it was made from.
    package let configuration: AgentConfiguration
    /// The tracked thing's name.
    package let device: DeviceID
    /// The engine.
    package let tracker: Tracker
    /// The machine's battery.
    package let battery: BatteryGauge
    /// One line about what this agent does, for a person who has just started it.
    package let introduction: String
    private let store: SQLiteFixStore
    private let sinks: [any FixSink]
    private let started: Timestamp

    /// Puts an agent together and opens its store.
    ///
    /// - Throws: ``AgentStartError``; whatever had been opened is closed again.
    package static func assemble(
        _ configuration: AgentConfiguration, environment: [String: String], poller: DescriptorPoller, logger: Logger
    ) async throws(AgentStartError) -> Agent {
        let battery = BatteryGauge()
        let selection = await SelectedSources(configuration.sources, poller: poller)
        let device = try deviceID(of: configuration)
        let context = CompositionContext(
            device: device, secrets: SecretReader(environment: environment), logger: logger)
        let parts = try Parts(selection.configurations, configuration.sinks, context)
        let store = try await openStore(configuration.store.path, logger)
        do throws(ConfigurationError) {
            let tracker = try Tracker(
                configuration: configuration.tracking, retention: configuration.store.retention, device: device,
                store: store, sources: parts.sources, sinks: parts.sinks, hostStatus: { battery.current },
                logger: logger)
            return Agent(
                configuration: configuration, device: device, tracker: tracker, battery: battery,
                introduction: introduction(selection, configuration), store: store, sinks: parts.sinks.map(\.sink),
                started: .now())
        } catch {
            for sink in parts.sinks { await sink.sink.close() }
            await store.close()
            throw .configuration(AgentConfigurationError(error))
        }
    }

    private static func deviceID(of configuration: AgentConfiguration) throws(AgentStartError) -> DeviceID {
        var generator = SystemRandomNumberGenerator()
        do throws(DeviceIdentityError) {
            return try DeviceIdentity.resolve(configuration, using: &generator)
        } catch {
            throw .failed(error.description)
        }
    }

    private static func openStore(_ path: String, _ logger: Logger) async throws(AgentStartError) -> SQLiteFixStore {
        do throws(StoreError) {
            return try await SQLiteFixStore.open(directory: path, logger: logger)
        } catch {
            throw error.code == .locked ? .taken(error.message) : .failed("cannot open the store: \(error)")
        }
    }

    private static func introduction(_ selection: SelectedSources, _ configuration: AgentConfiguration) -> String {
        let sinks = configuration.sinks.map(\.name.rawValue)
        let destination = sinks.isEmpty ? "" : " and on to \(sinks.inWordsWithAnd)"
        return "\(selection.description); records go to \(configuration.store.path)\(destination)"
    }

    /// How it stands at this moment.
    package func status() async -> AgentStatus {
        AgentStatus(
            device: device, started: started, storePath: configuration.store.path, tracker: await tracker.status())
    }

    /// Releases what ``assemble(_:environment:poller:logger:)`` has opened; the tracker must have stopped.
    package func close() async {
        for sink in sinks { await sink.close() }
        await store.close()
    }
}

/// Why an agent could not start.
package enum AgentStartError: Error, Sendable, CustomStringConvertible {
    /// The configuration cannot be used.
    case configuration(AgentConfigurationError)
    /// Another process has what this one needs.
    case taken(String)
    /// Anything else.
    case failed(String)

    /// What is to be told, one line a problem.
    package var description: String {
        switch self {
        case .configuration(let error): error.description
        case .taken(let message), .failed(let message): message
        }
    }
}

extension AgentConfigurationError {
    /// What the engine or a plugin finds wrong, where no line of the file is known.
    init(_ error: ConfigurationError) {
        self.init(error.problems.map { LocatedProblem(.none, $0) })
    }
}

/// Sources and sinks made, with all that was wrong with any of them.
private struct Parts {
    var sources: [any FixSource] = []
    var sinks: [SinkBinding] = []

    init(
        _ sources: [SourceConfiguration], _ sinks: [SinkConfiguration], _ context: CompositionContext
    ) throws(AgentStartError) {
        var problems: [ConfigurationProblem] = []
        for source in sources {
            do throws(ConfigurationError) {
                self.sources += try source.makeSources(context)
            } catch {
                problems += error.problems
            }
        }
        for sink in sinks {
            do throws(ConfigurationError) {
                self.sinks.append(try sink.makeSink(context))
            } catch {
                problems += error.problems
            }
        }
        if !problems.isEmpty { throw .configuration(AgentConfigurationError(ConfigurationError(problems: problems))) }
    }
}

extension [String] {
    /// `a, b and c`
    fileprivate var inWordsWithAnd: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
