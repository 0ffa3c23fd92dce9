import TrackEngine

/// Where an agent that runs has what carries out changes from afar; before it runs there is nothing.
final class RemoteDoor: Sendable {
    private let state = PthreadMutex(RemoteSettings?.none)
    private let counts = PthreadMutex([SinkID: Int]())

    var settings: RemoteSettings? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// A command has come through a sink, one that does not change the configuration.
    func noteCommand(through sink: SinkID) { counts.withLock { $0[sink, default: 0] += 1 } }

    /// How many such commands have come through a sink.
    func commands(through sink: SinkID) -> Int { counts.withLock { $0[sink] ?? 0 } }
}
