/// The callers that wait until a sink delivery has sent all records, and whether waiting is still possible. A pure value.
package struct FlushQueue<Waiter> {
    /// Whether it delivers or is about to begin. Once it has ended, or the last sync of a stop took too long, no
    /// caller waits any more.
    private var isOpen = true
    private var waiters = WaiterList<Waiter>()

    package init() {}

    /// Ends all flushes, also future ones. Returns the waiters.
    package mutating func end() -> [Waiter] {
        isOpen = false
        return waiters.removeAll()
    }

    /// Returns the number under which to wait; `nil` when it does not deliver any more.
    package mutating func join() -> Int? { isOpen ? waiters.nextNumber() : nil }

    /// Adds a waiter under its number from ``join()``.
    package mutating func add(_ waiter: Waiter, number: Int) { waiters.add(waiter, number: number) }

    /// Removes a waiter. Returns it to be resumed, or `nil` if it has been removed before.
    package mutating func remove(_ number: Int) -> Waiter? { waiters.remove(number) }

    /// Ends the present flush, because all records were sent or a delivery has failed. Returns the waiters.
    package mutating func finish() -> [Waiter] { waiters.removeAll() }
}
