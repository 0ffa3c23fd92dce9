import TrackEngine

/// Messages on their way to the client's thread, and the task that waits for the result.
final class Delivery: Sendable {
    private enum State {
        /// Not ended, and no task waits yet.
        case open
        /// A task waits for the result.
        case awaited(CheckedContinuation<DeliveryProgress.Result, Never>)
        /// Ended; only the first result counts.
        case ended(DeliveryProgress.Result)
    }

    let messages: [RecordMessage]
    /// The ids of the records, in the order of the messages; empty where no consumer has to confirm them.
    let ids: [RecordID]
    /// Receives the number of messages, from the first on, that the broker has acknowledged and, if required, the
    /// consumer has confirmed.
    let confirmed: @Sendable (Int) -> Void
    private let state = SystemMutex(State.open)

    init(
        _ messages: [RecordMessage], ids: [RecordID] = [], confirmed: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.messages = messages
        self.ids = ids
        self.confirmed = confirmed
    }

    /// Whether it has ended, including by a task that has given up.
    var hasEnded: Bool {
        state.withLock { state in
            switch state {
            case .open, .awaited: false
            case .ended: true
            }
        }
    }

    /// Ends the delivery, unless it has ended.
    func end(_ result: DeliveryProgress.Result) {
        let waiter = state.withLock { state -> CheckedContinuation<DeliveryProgress.Result, Never>? in
            switch state {
            case .open:
                state = .ended(result)
                return nil
            case .awaited(let waiter):
                state = .ended(result)
                return waiter
            case .ended: return nil
            }
        }
        waiter?.resume(returning: result)
    }

    /// Waits for the result. Only one task may wait.
    func result() async -> DeliveryProgress.Result {
        await withCheckedContinuation { continuation in
            let ended = state.withLock { state -> DeliveryProgress.Result? in
                switch state {
                case .open:
                    state = .awaited(continuation)
                    return nil
                case .awaited: preconditionFailure("a delivery has one waiting task")
                case .ended(let result): return result
                }
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }
}
