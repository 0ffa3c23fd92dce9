import Logging
import TrackEngine

/// Applies a configuration that was read again to a running agent, as far as that is possible.
struct AgentReload: Sendable {
    private let loader: ConfigurationLoader
    private let agent: Agent
    private let level: LogLevel
    private let logger: Logger
    /// What the agent runs with at this moment.
    private var applied: AgentConfiguration

    init(_ agent: Agent, loader: ConfigurationLoader, level: LogLevel, logger: Logger) {
        self.agent = agent
        self.loader = loader
        self.level = level
        self.logger = logger
        applied = agent.configuration
    }

    /// Reads the configuration again and applies it; what is wrong with it is logged, and then nothing changes.
    mutating func reload() async {
        do {
            let new = try await OwnThread.run { [loader] in try loader.load() }
            let change = ConfigurationChange(from: applied, to: new)
            try await apply(new)
            report(change)
        } catch let error as AgentConfigurationError {
            for problem in error.problems { logger.error("configuration not reloaded: \(problem)") }
        } catch {
            logger.error("configuration not reloaded", metadata: ["error": "\(error)"])
        }
    }

    private mutating func apply(_ new: AgentConfiguration) async throws {
        var next = applied
        next.tracking = new.tracking
        next.store.retention = new.store.retention
        next.log.level = new.log.level
        for index in next.sinks.indices {
            guard let sink = new.sinks.first(where: { $0.name == next.sinks[index].name }) else { continue }
            next.sinks[index].sync = sink.sync
        }
        try await agent.tracker.restart(
            with: next.tracking, retention: next.store.retention,
            sync: Dictionary(uniqueKeysWithValues: next.sinks.map { ($0.name, $0.sync) }))
        level.set(next.log.level)
        applied = next
    }

    private func report(_ change: ConfigurationChange) {
        if change.isEmpty { logger.notice("configuration read again: nothing has changed") }
        if !change.live.isEmpty {
            logger.notice("configuration applied", metadata: ["keys": "\(change.live.joined(separator: ", "))"])
        }
        if !change.restart.isEmpty {
            logger.warning(
                "configuration needs a restart", metadata: ["keys": "\(change.restart.joined(separator: ", "))"])
        }
    }
}
