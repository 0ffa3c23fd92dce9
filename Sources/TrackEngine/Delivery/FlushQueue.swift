/// The callers that wait until a drain has sent all records, and whether waiting is still possible. A pure value.
package struct FlushQueue<Waiter> {
    private enum State {
        /// The drain does not run: waiting is pointless. To `open`, to `abandoned`.
        case closed
        /// The drain delivers. To `closed` when it has ended, to `abandoned`.
        case open
        /// The last sync of a stop took too long: no caller waits any more. Final.
        case abandoned
    }

    private var state = State.closed
    private var waiters = WaiterList<Waiter>()

    package init() {}

    /// Notes that the drain runs from now on.
    package mutating func open() {
        switch state {
        case .closed: state = .open
        case .open, .abandoned: break
        }
    }

    /// Notes that the drain has ended. Returns the waiters.
    package mutating func close() -> [Waiter] {
        switch state {
        case .open: state = .closed
        case .closed, .abandoned: break
        }
        return waiters.removeAll()
    }

    /// Ends all flushes, also future ones, because their time is over. Returns the waiters.
    package mutating func abandon() -> [Waiter] {
        state = .abandoned
        return waiters.removeAll()
    }

    /// Returns the number under which to wait; `nil` when the drain does not deliver.
    package mutating func join() -> Int? {
        switch state {
        case .open: waiters.nextNumber()
        case .closed, .abandoned: nil
        }
    }

    /// Adds a waiter under its number from ``join()``.
    package mutating func add(_ waiter: Waiter, number: Int) { waiters.add(waiter, number: number) }

    /// Removes a waiter. Returns it to be resumed, or `nil` if it has been removed before.
    package mutating func remove(_ number: Int) -> Waiter? { waiters.remove(number) }

    /// Ends the present flush, because all records were sent or a delivery has failed. Returns the waiters.
    package mutating func finish() -> [Waiter] { waiters.removeAll() }
}
