/// Who waits until a drain has sent everything, and whether it still can be waited for. A pure value.
package struct FlushQueue<Waiter> {
    private enum State {
        /// The drain does not run: there is nothing to wait for. To `open`, to `abandoned`.
        case closed
        /// The drain delivers. To `closed` when it has ended, to `abandoned`.
        case open
        /// The last sync of a stop has taken too long: nobody waits any more, for good.
        case abandoned
    }

    private var state = State.closed
    private var waiters = WaiterList<Waiter>()

    package init() {}

    /// The drain runs from now on.
    package mutating func open() {
        switch state {
        case .closed: state = .open
        case .open, .abandoned: break
        }
    }

    /// The drain has ended; returns who waited.
    package mutating func close() -> [Waiter] {
        switch state {
        case .open: state = .closed
        case .closed, .abandoned: break
        }
        return waiters.removeAll()
    }

    /// The time for a flush is over, begun or not; returns who waited.
    package mutating func abandon() -> [Waiter] {
        state = .abandoned
        return waiters.removeAll()
    }

    /// Under which number to wait; `nil` when nothing is delivered that could be waited for.
    package mutating func join() -> Int? {
        switch state {
        case .open: waiters.nextNumber()
        case .closed, .abandoned: nil
        }
    }

    /// Somebody waits from now on, under the number from ``join()``.
    package mutating func add(_ waiter: Waiter, number: Int) { waiters.add(waiter, number: number) }

    /// Somebody waits no longer; returns whom to let go, `nil` if that has happened.
    package mutating func remove(_ number: Int) -> Waiter? { waiters.remove(number) }

    /// Everything was sent, or a delivery has failed; returns who waited for that.
    package mutating func finish() -> [Waiter] { waiters.removeAll() }
}
