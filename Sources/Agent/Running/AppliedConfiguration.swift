import TrackEngine

/// What an agent runs with at this moment, once something was changed that takes no restart.
final class AppliedConfiguration: Sendable {
    private let state = PthreadMutex(AgentConfiguration?.none)

    /// The newest; `nil` as long as it is what the agent was made from.
    var latest: AgentConfiguration? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
