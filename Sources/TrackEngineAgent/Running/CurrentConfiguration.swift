import TrackEngine

/// The configuration that an agent runs with, after changes that need no restart.
final class CurrentConfiguration: Sendable {
    private let state: SystemMutex<AgentConfiguration>

    init(_ configuration: AgentConfiguration) { state = SystemMutex(configuration) }

    /// The newest configuration.
    var latest: AgentConfiguration {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Whether the agent runs with these remote values.
    func hasApplied(_ values: RemoteValues) -> Bool { latest.remote.values.texts == values.texts }
}
