import TrackEngine

/// Where an agent that runs has what carries out changes from afar; before it runs there is nothing.
final class RemoteDoor: Sendable {
    private let state = PthreadMutex(RemoteSettings?.none)

    var settings: RemoteSettings? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
