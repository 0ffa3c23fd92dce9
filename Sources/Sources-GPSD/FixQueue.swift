internal import TrackEngine

/// Passes fixes from gpsd's thread to the engine's task. It is bounded, keeps the newest fixes, and has one consumer.
///
/// The thread never waits. The consumer receives all fixes at once, so a backlog costs one commit instead of one for
/// each fix.
package final class FixQueue<Item: Sendable>: Sendable {
    private enum State {
        /// These fixes wait for the consumer, oldest first; may be empty.
        case filling([Item])
        /// The consumer waits; the next fix or the end wakes it.
        case awaited(CheckedContinuation<[Item]?, Never>)
        /// No more fixes will arrive.
        case finished
    }

    private let capacity: Int
    private let state = SystemMutex(State.filling([]))

    /// An empty queue.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a fix; returns whether the oldest one was removed for it.
    package func post(_ fix: Item) -> Bool {
        let (waiter, overflowed) = state.withLock { state -> (CheckedContinuation<[Item]?, Never>?, Bool) in
            switch state {
            case .filling(var fixes):
                state = .finished  // so that the array is not shared, and grows in place
                let isFull = fixes.count >= capacity
                if isFull { fixes.removeFirst() }
                fixes.append(fix)
                state = .filling(fixes)
                return (nil, isFull)
            case .awaited(let waiter):
                state = .filling([])
                return (waiter, false)
            case .finished:
                return (nil, false)
            }
        }
        waiter?.resume(returning: [fix])
        return overflowed
    }

    /// Ends the queue. Fixes that still wait are dropped, because they have no consumer any more.
    package func finish() {
        let waiter = state.withLock { state -> CheckedContinuation<[Item]?, Never>? in
            defer { state = .finished }
            guard case .awaited(let waiter) = state else { return nil }
            return waiter
        }
        waiter?.resume(returning: nil)
    }

    /// Waits for fixes and removes all of them; `nil` after the queue is finished.
    ///
    /// A task that cancels the consumer must also make the producer finish the queue, which ends the wait.
    package func next() async -> [Item]? {
        await withCheckedContinuation { continuation in
            let ready: [Item]?? = state.withLock { state in
                switch state {
                case .filling(let fixes) where fixes.isEmpty:
                    state = .awaited(continuation)
                    return nil
                case .filling(let fixes):
                    state = .filling([])
                    return .some(fixes)
                case .awaited:
                    preconditionFailure("a queue has one consumer")
                case .finished:
                    return .some(nil)
                }
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }
}
