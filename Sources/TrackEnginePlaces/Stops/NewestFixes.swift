internal import TrackEngine

/// The newest fixes, at most one per time step, for the search of stops. It holds 48 fixes and allocates no memory.
struct NewestFixes: Sendable {
    static let capacity = 48

    private var slots: InlineArray<48, StopFix>
    /// The slot of the oldest fix.
    private var first = 0
    private(set) var count = 0

    init() { slots = InlineArray(repeating: .none) }

    /// The time of the newest fix.
    var newestTime: Timestamp? { count > 0 ? self[0].time : nil }

    /// The fix of an age: 0 is the newest, `count - 1` the oldest.
    subscript(age: Int) -> StopFix { slots[(first + count - 1 - age) % Self.capacity] }

    /// The time of the fix of an age.
    func time(_ age: Int) -> Timestamp { slots[(first + count - 1 - age) % Self.capacity].time }

    mutating func append(_ fix: StopFix) {
        if count == Self.capacity {
            slots[first] = fix
            first = (first + 1) % Self.capacity
        } else {
            slots[(first + count) % Self.capacity] = fix
            count += 1
        }
    }

    /// Removes all fixes up to and including a time.
    mutating func removeAll(through time: Timestamp) {
        while count > 0, slots[first].time <= time {
            first = (first + 1) % Self.capacity
            count -= 1
        }
    }
}
