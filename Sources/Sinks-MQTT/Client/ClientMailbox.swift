import TrackEngine

/// What the sink tells the client's thread, and what the thread tells the sink; bounded on both ways.
final class ClientMailbox: Sendable {
    /// What the client's thread is asked to do.
    struct Requests {
        /// Keep a connection up.
        var wantsConnection = false
        /// Disconnect and end.
        var isClosing = false
        /// The delivery to begin. There is one at a time; a new one replaces one that was given up.
        var delivery: Delivery?
        /// Messages of the sink's own, in order.
        var messages: [MQTTMessage] = []
    }

    private struct State {
        var requests = Requests()
        var status = MQTTStatus()
        var incoming: [IncomingMessage] = []
        /// Wakes the client's thread; `nil` before it is started.
        var wakeup: WakeupPipe?
    }

    /// The most messages of the sink's own, and the most commands, that wait.
    static let capacity = 64

    /// Raised when commands have come in or a connection was made.
    let news = WakeSignal()
    private let state = PthreadMutex(State())

    // MARK: The sink's side

    /// Gives requests.
    func request(_ change: (inout Requests) -> Void) {
        let wakeup = state.withLock { state in
            change(&state.requests)
            return state.wakeup
        }
        wakeup?.wake()
    }

    /// Makes the thread look at its requests and at the delivery under way.
    func wakeThread() { state.withLock { $0.wakeup }?.wake() }

    /// The thread polls this pipe from now on.
    func attach(_ wakeup: WakeupPipe) { state.withLock { $0.wakeup = wakeup } }

    /// Queues a message for publishing; returns whether there was room for it.
    func post(_ message: MQTTMessage) -> Bool {
        let hasRoom = state.withLock { state in
            guard state.requests.messages.count < Self.capacity else { return false }
            state.requests.messages.append(message)
            return true
        }
        if hasRoom { wakeThread() }
        return hasRoom
    }

    var status: MQTTStatus { state.withLock { $0.status } }

    /// Takes the commands that came in.
    func takeIncoming() -> [IncomingMessage] {
        state.withLock { state in
            defer { state.incoming = [] }
            return state.incoming
        }
    }

    /// Counts commands.
    func count(done: Int = 0, rejected: Int = 0) {
        state.withLock { state in
            state.status.commandsDone += done
            state.status.commandsRejected += rejected
        }
    }

    // MARK: The thread's side

    /// Takes the new delivery and messages; the flags stay.
    func takeRequests() -> Requests {
        state.withLock { state in
            defer {
                state.requests.delivery = nil
                state.requests.messages = []
            }
            return state.requests
        }
    }

    /// Changes what everybody may read.
    func update(_ change: (inout MQTTStatus) -> Void) {
        state.withLock { change(&$0.status) }
    }

    /// Hands on commands; those for which there is no room are rejected.
    func deliver(_ messages: [IncomingMessage], overflow: Int) {
        state.withLock { state in
            let room = max(0, Self.capacity - state.incoming.count)
            state.incoming += messages.prefix(room)
            state.status.commandsRejected += overflow + max(0, messages.count - room)
        }
        news.raise()
    }
}
