/// A result that one task waits for, and that another task or a thread gives. Only the first result counts.
package struct PendingResult<Value: Sendable>: Sendable {
    private enum State {
        /// There is no result, and no task waits. To `awaited`, to `ended`.
        case open
        /// A task waits for the result. To `ended`.
        case awaited(CheckedContinuation<Value, Never>)
        /// The result is there. Final.
        case ended(Value)
    }

    private let state = SystemMutex(State.open)

    package init() {}

    /// The result; `nil` as long as there is none.
    package var value: Value? {
        state.withLock { state in
            switch state {
            case .open, .awaited: nil
            case .ended(let value): value
            }
        }
    }

    /// Gives the result, unless there is one.
    package func end(_ value: Value) {
        let waiter: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .ended(value)
                return nil
            case .awaited(let waiter):
                state = .ended(value)
                return waiter
            case .ended: return nil
            }
        }
        waiter?.resume(returning: value)
    }

    /// Waits for the result. Only one task may wait.
    package func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let ended: Value? = state.withLock { state in
                switch state {
                case .open:
                    state = .awaited(continuation)
                    return nil
                case .awaited: preconditionFailure("a result has one waiting task")
                case .ended(let value): return value
                }
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }
}
