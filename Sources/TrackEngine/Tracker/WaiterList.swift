/// The callers that wait for one event. Each has a number, so that a cancelled one can be resumed alone. A pure value.
package struct WaiterList<Waiter> {
    private var waiters: [Int: Waiter] = [:]
    private var last = 0

    package init() {}

    package var isEmpty: Bool { waiters.isEmpty }

    /// Returns a number for a caller that is about to wait.
    package mutating func nextNumber() -> Int {
        last += 1
        return last
    }

    /// Adds a waiter under its number.
    package mutating func add(_ waiter: Waiter, number: Int) { waiters[number] = waiter }

    /// Removes a waiter. Returns it to be resumed, or `nil` if it has been removed before.
    package mutating func remove(_ number: Int) -> Waiter? { waiters.removeValue(forKey: number) }

    /// Removes and returns all waiters, the first one first, because the event has come.
    package mutating func removeAll() -> [Waiter] {
        defer { waiters = [:] }
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }
}
