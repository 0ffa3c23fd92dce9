import Logging
import TrackEngine
import TrackEngineSettings

extension RemoteSettings.Environment {
    /// The surroundings of an agent.
    ///
    /// - Parameters:
    ///   - loader: reads the configuration again.
    ///   - reload: raised when the agent should read its configuration again.
    init(
        _ applied: CurrentConfiguration, _ tracker: Tracker, _ loader: ConfigurationReader, reload: WakeSignal
    ) {
        let configuration = applied.latest
        let file = RemoteFile(in: configuration.store.path)
        self.init(
            allowed: Set(configuration.control.remoteKeys),
            examine: { values, keys throws(RemoteRejection) in
                try await Self.examine(values, keys, file, loader)
            },
            apply: { reload.raise() },
            sight: { await Self.sight(of: $0, through: $1, tracker, applied) },
            // Unstructured: a delivery may take long, and the trial continues meanwhile.
            send: { sink in Task { await tracker.sync(sink) } })
    }

    /// Refuses values that `check` would refuse, values that need a restart, and keys that a higher layer sets.
    private static func examine(
        _ values: RemoteValues, _ keys: Set<String>, _ file: RemoteFile, _ loader: ConfigurationReader
    ) async throws(RemoteRejection) {
        do {
            let (old, new) = try await SystemThread.run {
                (try loader.load(), try loader.load(with: values, changing: keys))
            }
            if let key = keys.sorted().first(where: { new.places.origin(of: $0) != file.origin }) {
                throw RemoteRejection("\(key): expected a key that neither the environment nor --set gives")
            }
            try await ConfigurationTrial(new, environment: loader.environment).run()
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

    /// The observable progress of a trial.
    private static func sight(
        of values: RemoteValues, through sink: SinkID, _ tracker: Tracker, _ applied: CurrentConfiguration
    ) async -> TrialMonitor.Reading {
        let tracker = await tracker.status()
        let sync = tracker.sinks.first { $0.id == sink }?.sync ?? SyncState()
        let recorded = tracker.sources.map { TrialMonitor.recorded(by: $0.causes) }
        return TrialMonitor.Reading(
            isApplied: applied.hasApplied(values), recorded: recorded.reduce(0, +), queued: sync.queued,
            delivered: sync.delivered, refused: sync.refused,
            isMoving: tracker.sources.isEmpty || tracker.sources.contains(where: \.isMoving))
    }
}
