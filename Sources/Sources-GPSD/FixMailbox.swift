internal import TrackEngine

/// Hands fixes from gpsd's thread to the engine's task: bounded, newest kept, one consumer.
///
/// The thread never waits. The consumer takes everything at once, so a backlog costs one commit and not one a fix.
package final class FixMailbox<Item: Sendable>: Sendable {
    private enum State {
        /// These fixes wait for the consumer, oldest first; may be none.
        case filling([Item])
        /// The consumer waits; the next fix or the end wakes it.
        case awaited(CheckedContinuation<[Item]?, Never>)
        /// Nothing more will come.
        case finished
    }

    private let capacity: Int
    private let state = PthreadMutex(State.filling([]))

    /// An empty mailbox.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Puts a fix in; returns whether the oldest one had to go for it.
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

    /// Ends the mailbox; fixes that still wait are dropped, because nobody is there to take them.
    package func finish() {
        let waiter = state.withLock { state -> CheckedContinuation<[Item]?, Never>? in
            defer { state = .finished }
            guard case .awaited(let waiter) = state else { return nil }
            return waiter
        }
        waiter?.resume(returning: nil)
    }

    /// Waits for fixes and takes all there are; `nil` once the mailbox is finished.
    ///
    /// Whoever cancels the consumer also makes the producer finish the mailbox, which ends the wait.
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
                    preconditionFailure("a mailbox has one consumer")
                case .finished:
                    return .some(nil)
                }
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }
}
