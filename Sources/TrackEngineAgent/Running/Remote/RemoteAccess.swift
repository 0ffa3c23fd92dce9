import TrackEngine

/// Holds the remote settings of a running agent, `nil` before it runs, and counts the remote commands.
final class RemoteAccess: Sendable {
    private let state = SystemMutex(RemoteSettings?.none)
    private let counts = SystemMutex([SinkID: Int]())

    var settings: RemoteSettings? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Counts a command that came through a sink and does not change the configuration.
    func noteCommand(through sink: SinkID) { counts.withLock { $0[sink, default: 0] += 1 } }

    /// The number of such commands through a sink.
    func commands(through sink: SinkID) -> Int { counts.withLock { $0[sink] ?? 0 } }
}
