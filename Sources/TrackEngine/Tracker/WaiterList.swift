/// Who waits for one event, each under a number, so that one whose task is cancelled can be let go alone. A pure value.
package struct WaiterList<Waiter> {
    private var waiters: [Int: Waiter] = [:]
    private var last = 0

    package init() {}

    package var isEmpty: Bool { waiters.isEmpty }

    /// A number for somebody who is about to wait.
    package mutating func nextNumber() -> Int {
        last += 1
        return last
    }

    /// Somebody waits from now on, under the number given out to them.
    package mutating func add(_ waiter: Waiter, number: Int) { waiters[number] = waiter }

    /// Somebody waits no longer; returns whom to let go, `nil` if that has happened.
    package mutating func remove(_ number: Int) -> Waiter? { waiters.removeValue(forKey: number) }

    /// The event has come: returns all who waited.
    package mutating func removeAll() -> [Waiter] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }
}
