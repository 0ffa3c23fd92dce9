internal import TrackEngine

/// The newest fixes, thinned to one a step of time: what a stop is searched in. It holds 48 and allocates nothing.
struct RecentFixes: Sendable {
    static let capacity = 48

    private var slots: InlineArray<48, StopFix>
    /// Where the oldest is.
    private var first = 0
    private(set) var count = 0

    init() { slots = InlineArray(repeating: .none) }

    /// When the newest was taken.
    var newestTime: Timestamp? { count > 0 ? self[0].time : nil }

    /// The fix of an age: 0 is the newest, `count - 1` the oldest.
    subscript(age: Int) -> StopFix { slots[(first + count - 1 - age) % Self.capacity] }

    /// When the fix of an age was taken.
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

    /// Forgets what came up to a moment.
    mutating func removeAll(through time: Timestamp) {
        while count > 0, slots[first].time <= time {
            first = (first + 1) % Self.capacity
            count -= 1
        }
    }
}
