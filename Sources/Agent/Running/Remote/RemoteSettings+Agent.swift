import Logging
import TrackEngine
import TrackEngineSettings

extension RemoteSettings.Surroundings {
    /// Those of an agent that runs.
    init(_ agent: AssembledAgent, _ loader: ConfigurationLoader, apply: @escaping @Sendable () -> Void) {
        let file = RemoteFile(in: agent.configuration.store.path)
        self.init(
            allowed: Set(agent.configuration.control.remoteKeys),
            examine: { values throws(RemoteRefusal) in
                try await Self.examine(values, file, loader, agent.environment)
            },
            apply: apply,
            hasReached: { await agent.hasReached($0, since: $1) })
    }

    /// Refuses what `check` would refuse, what only a restart would apply, and what stands above.
    private static func examine(
        _ values: RemoteValues, _ file: RemoteFile, _ loader: ConfigurationLoader, _ environment: [String: String]
    ) async throws(RemoteRefusal) {
        do {
            let (old, new) = try await OSThread.run {
                (try loader.load(), try loader.load(with: file.layer(values)))
            }
            let origin = ConfigurationOrigin.file(name: file.path, line: 0)
            if let key = values.values.keys.sorted().first(where: { new.places.origin(of: $0) != origin }) {
                throw RemoteRefusal("\(key): expected a key that neither the environment nor --set gives")
            }
            try await ConfigurationTrial(new, environment: environment).run()
            let restart = ConfigurationChange(from: old, to: new).restart
            guard restart.isEmpty else { throw RemoteRefusal("expected keys that need no restart") }
        } catch let error as AgentConfigurationError {
            let problem = error.problems.first?.message ?? "expected another configuration"
            throw RemoteRefusal(ReceiverText.oneLine(problem, atMost: 300))
        } catch let refusal as RemoteRefusal {
            throw refusal
        } catch { throw RemoteRefusal("the configuration cannot be read") }
    }
}

extension AssembledAgent {
    /// Whether a sink's receiver has confirmed something after a moment.
    fileprivate func hasReached(_ sink: SinkID, since moment: Timestamp) async -> Bool {
        let status = await status()
        let success = status.tracker.sinks.first { $0.id == sink }?.sync.lastSuccess
        if let success, success > moment { return true }
        let acknowledgement = status.sinkStatus[sink]?.items.first { $0.name == "lastAcknowledgement" }
        if case .time(let time)? = acknowledgement?.value { return time > moment }
        return false
    }
}
