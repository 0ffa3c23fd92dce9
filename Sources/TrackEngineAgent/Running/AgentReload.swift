package import Logging
import TrackEngine
import TrackEngineSettings

/// Applies a reloaded configuration to a running agent, as far as possible without a restart.
package struct AgentReload: Sendable {
    private let loader: ConfigurationReader
    private let agent: AgentRuntime
    private let level: LogLevel
    private let logger: Logger

    package init(_ agent: AgentRuntime, loader: ConfigurationReader, level: LogLevel, logger: Logger) {
        self.agent = agent
        self.loader = loader
        self.level = level
        self.logger = logger
    }

    /// Reads the configuration again and applies it. Problems are logged, and the running configuration stays as it is.
    package func reload() async {
        do {
            let new = try await SystemThread.run { [loader] in try loader.load() }
            let applied = agent.configuration
            let change = ConfigurationChange(from: applied, to: new)
            if let problem = new.remote.problem, problem != applied.remote.problem {
                logger.warning("remote settings are not in force", metadata: ["reason": "\(problem)"])
            }
            new.remote.tellWithheld(since: applied.remote, to: logger)
            try await apply(new)
            report(change, await renewSecrets())
        } catch let error as AgentConfigurationError {
            for problem in error.problems { logger.error("configuration not reloaded: \(problem)") }
        } catch {
            logger.error("configuration not reloaded", metadata: ["error": "\(error)"])
        }
    }

    private func apply(_ new: AgentConfiguration) async throws {
        let applied = agent.configuration
        var next = applied
        (next.tracking, next.profiles) = (new.tracking, new.profiles)
        next.store.retention = new.store.retention
        next.log.level = new.log.level
        next.remote = new.remote
        for index in next.sinks.indices {
            guard let sink = new.sinks.first(where: { $0.name == next.sinks[index].name }) else { continue }
            next.sinks[index].sync = sink.sync
        }
        let zones = try new.wifi.places
        (next.events, next.wifi) = (new.events, new.wifi)
        try await agent.keeper.apply(new.events) { [next] in try await agent.profiles.apply(next) }
        agent.zones.set(zones)
        agent.wifi.read(new.wifi.isRead, interface: new.wifi.interface)
        if new.events.told != applied.events.told { await agent.tracker.tell(new.events.told) }
        level.set(next.log.level)
        agent.applied.latest = next
    }

    /// Reads the secrets again. A sink with a changed secret syncs at once, which shows whether its server accepts it.
    private func renewSecrets() async -> AgentSecretReader.Outcome {
        let renewal = await agent.secrets.renew()
        for sink in agent.configuration.sinks.map(\.name)
        where renewal.changed.contains(where: { $0.hasPrefix("sinks.\(sink).") }) {
            // In a separate task: sending the backlog may take long.
            Task { [tracker = agent.tracker] in await tracker.sync(sink) }
        }
        return renewal
    }

    private func report(_ change: ConfigurationChange, _ secrets: AgentSecretReader.Outcome) {
        for problem in secrets.problems { logger.error("secret not read again: \(problem)") }
        if !secrets.changed.isEmpty {
            logger.notice("secrets read again", metadata: ["keys": "\(secrets.changed.joined(separator: ", "))"])
        }
        if change.isEmpty, secrets.changed.isEmpty { logger.notice("configuration read again, unchanged") }
        if !change.live.isEmpty {
            logger.notice("configuration applied", metadata: ["keys": "\(change.live.joined(separator: ", "))"])
        }
        if !change.restart.isEmpty {
            logger.warning(
                "configuration needs a restart", metadata: ["keys": "\(change.restart.joined(separator: ", "))"])
        }
    }
}
