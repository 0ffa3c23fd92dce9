/// The holder of a turn and the callers waiting for it, in the order of arrival. A pure value.
///
/// An actor alone does not serialize its callers: while one of its methods awaits, another may begin. A queue within
/// the actor does, and costs no hop to another executor.
package struct TurnQueue<Waiter> {
    private enum State {
        /// The turn is free. To `taken`.
        case free
        /// A caller has the turn, and these wait. To `free` when no caller waits any more.
        case taken(waiting: [Waiter])
    }

    private var state = State.free

    package init() {}

    /// Takes the turn if it is free; `false` means that the caller must ``wait(_:)``.
    package mutating func take() -> Bool {
        switch state {
        case .free:
            state = .taken(waiting: [])
            return true
        case .taken: return false
        }
    }

    /// Adds a waiter for a turn that another caller has.
    package mutating func wait(_ waiter: Waiter) {
        guard case .taken(var waiting) = state else { preconditionFailure("a free turn is taken, not waited for") }
        state = .free  // drops the second reference, so that the array is changed in place
        waiting.append(waiter)
        state = .taken(waiting: waiting)
    }

    /// Ends the turn. Returns the next holder, which must be resumed, or `nil` if the turn is free.
    @inline(__always)
    package mutating func leave() -> Waiter? {
        guard case .taken(let waiting) = state, !waiting.isEmpty else {
            state = .free
            return nil
        }
        return leaveToNext()
    }

    /// Separate from ``leave()``, which is inlined without it: for most turns nobody waits.
    @inline(never)
    private mutating func leaveToNext() -> Waiter? {
        guard case .taken(var waiting) = state else { return nil }
        state = .free
        let next = waiting.removeFirst()
        state = .taken(waiting: waiting)
        return next
    }
}
