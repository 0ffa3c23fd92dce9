import TrackEngine

/// The configuration that an agent runs with, after changes that need no restart.
final class CurrentConfiguration: Sendable {
    private let state = SystemMutex(AgentConfiguration?.none)

    /// The newest configuration; `nil` as long as the agent runs with its initial one.
    var latest: AgentConfiguration? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
