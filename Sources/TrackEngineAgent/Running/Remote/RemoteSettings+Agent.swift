import Logging
import TrackEngine
import TrackEngineSettings

extension RemoteSettings.Environment {
    /// The surroundings of a running agent.
    init(_ agent: AgentRuntime, _ loader: ConfigurationReader, apply: @escaping @Sendable () -> Void) {
        let file = RemoteFile(in: agent.configuration.store.path)
        self.init(
            allowed: Set(agent.configuration.control.remoteKeys),
            examine: { values, keys throws(RemoteRejection) in
                try await Self.examine(values, keys, file, loader, agent.environment)
            },
            apply: apply,
            sight: { await agent.sight(of: $0, through: $1) },
            // Unstructured: a delivery may take long, and the trial continues meanwhile.
            send: { sink in Task { [tracker = agent.tracker] in await tracker.sync(sink) } })
    }

    /// Refuses values that `check` would refuse, values that need a restart, and keys that a higher layer sets.
    private static func examine(
        _ values: RemoteValues, _ keys: Set<String>, _ file: RemoteFile, _ loader: ConfigurationReader,
        _ environment: [String: String]
    ) async throws(RemoteRejection) {
        do {
            let (old, new) = try await SystemThread.run {
                (try loader.load(), try loader.load(with: values, changing: keys))
            }
            if let key = keys.sorted().first(where: { new.places.origin(of: $0) != file.origin }) {
                throw RemoteRejection("\(key): expected a key that neither the environment nor --set gives")
            }
            try await ConfigurationTrial(new, environment: environment).run()
            let restart = ConfigurationChange(from: old, to: new).restart
            guard restart.isEmpty else { throw RemoteRejection("expected keys that need no restart") }
        } catch let error as AgentConfigurationError {
            // Without the value: the message goes to the log, and the value may be a position.
            let problem = error.problems.first?.withoutValue ?? "expected another configuration"
            throw RemoteRejection(ReceiverText.oneLine(problem, atMost: 300))
        } catch let refusal as RemoteRejection {
            throw refusal
        } catch { throw RemoteRejection("the configuration cannot be read") }
    }
}

extension AgentRuntime {
    /// Whether the agent runs with these remote values.
    func hasApplied(_ values: RemoteValues) -> Bool {
        let running = applied.latest ?? configuration
        return running.remote.values.texts == values.texts
    }

    /// The observable progress of a trial.
    fileprivate func sight(of values: RemoteValues, through sink: SinkID) async -> TrialMonitor.Reading {
        let tracker = await tracker.status()
        let sync = tracker.sinks.first { $0.id == sink }?.sync ?? SyncState()
        let recorded = tracker.sources.map { TrialMonitor.recorded(by: $0.causes) }
        return TrialMonitor.Reading(
            isApplied: hasApplied(values), commands: remote.commands(through: sink),
            recorded: recorded.reduce(0, +), queued: sync.queued, delivered: sync.delivered, refused: sync.refused,
            isMoving: tracker.sources.isEmpty || tracker.sources.contains(where: \.isMoving))
    }
}
