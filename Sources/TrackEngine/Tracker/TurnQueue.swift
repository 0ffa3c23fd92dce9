/// Who has a turn, and who waits for one, in the order of arrival. A pure value.
///
/// An actor alone does not keep its callers apart: while one of its methods awaits, another may begin. A queue within the
/// actor does, and costs no hop to another executor.
package struct TurnQueue<Waiter> {
    private enum State {
        /// Nobody has the turn. To `taken`.
        case free
        /// Somebody has it, and these wait. To `free` when nobody waits any more.
        case taken(waiting: [Waiter])
    }

    private var state = State.free

    package init() {}

    /// Takes the turn if it is free; `false` means that the caller has to ``wait(_:)``.
    package mutating func take() -> Bool {
        switch state {
        case .free:
            state = .taken(waiting: [])
            return true
        case .taken: return false
        }
    }

    /// Gets in line for a turn that another caller has.
    package mutating func wait(_ waiter: Waiter) {
        guard case .taken(var waiting) = state else { preconditionFailure("a free turn is taken, not waited for") }
        state = .free  // gives up the second reference, so that the array is changed in place
        waiting.append(waiter)
        state = .taken(waiting: waiting)
    }

    /// Ends the turn; returns who has it next and is to be told, `nil` when it is free.
    package mutating func leave() -> Waiter? {
        guard case .taken(var waiting) = state, !waiting.isEmpty else {
            state = .free
            return nil
        }
        state = .free
        let next = waiting.removeFirst()
        state = .taken(waiting: waiting)
        return next
    }
}
