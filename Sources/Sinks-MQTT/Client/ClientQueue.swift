import TrackEngine

/// The queue between the sink and the client's thread, bounded in both directions.
final class ClientQueue: Sendable {
    /// The sink's requests to the client's thread.
    struct RequestQueue {
        /// Whether to keep a connection up.
        var wantsConnection = false
        /// Whether to disconnect and end the thread.
        var isClosing = false
        /// The delivery to begin. There is one at a time; a new one replaces one that was abandoned.
        var delivery: Delivery?
        /// The sink's own messages, in order.
        var messages: [MQTTMessage] = []
    }

    private struct State {
        var requests = RequestQueue()
        var status = MQTTStatus()
        var incoming: [ReceivedMessage] = []
        /// The pipe that wakes the client's thread; `nil` before the thread is started.
        var wakeup: WakePipe?
    }

    /// The most own messages, and the most commands, that may wait.
    static let capacity = 64

    /// Raised when commands have arrived or a connection was made.
    let news = WakeSignal()
    private let state = SystemMutex(State())

    // MARK: The sink's side

    /// Changes the requests and wakes the thread.
    func request(_ change: (inout RequestQueue) -> Void) {
        let wakeup = state.withLock { state in
            change(&state.requests)
            return state.wakeup
        }
        wakeup?.wake()
    }

    /// Wakes the thread to check its requests and the current delivery.
    func wakeThread() { state.withLock { $0.wakeup }?.wake() }

    /// Sets the pipe that the thread polls from now on.
    func attach(_ wakeup: WakePipe) { state.withLock { $0.wakeup = wakeup } }

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

    /// Takes the received commands.
    func takeIncoming() -> [ReceivedMessage] {
        state.withLock { state in
            defer { state.incoming = [] }
            return state.incoming
        }
    }

    /// Adds to the counts of commands.
    func count(done: Int = 0, rejected: Int = 0) {
        state.withLock { state in
            state.status.commandsDone += done
            state.status.commandsRejected += rejected
        }
    }

    // MARK: The thread's side

    /// Takes the new delivery and messages; the flags stay.
    func takeRequests() -> RequestQueue {
        state.withLock { state in
            defer {
                state.requests.delivery = nil
                state.requests.messages = []
            }
            return state.requests
        }
    }

    /// Changes the public status.
    func update(_ change: (inout MQTTStatus) -> Void) {
        state.withLock { change(&$0.status) }
    }

    /// Passes on commands; those for which there is no room are rejected.
    func deliver(_ messages: [ReceivedMessage], overflow: Int) {
        state.withLock { state in
            let room = max(0, Self.capacity - state.incoming.count)
            state.incoming += messages.prefix(room)
            state.status.commandsRejected += overflow + max(0, messages.count - room)
        }
        news.raise()
    }
}
