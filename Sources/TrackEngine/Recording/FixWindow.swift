/// The newest fixes of a track, up to a fixed number, by the number assigned to each on arrival.
///
/// One buffer, allocated once: further memory is allocated only when a second copy of the value is changed.
struct FixWindow: Sendable {
    /// The capacity; a power of two, so that a number's index consists of its low bits.
    static let capacity = 256

    private var places: [Fix]
    private var marks: [Double]
    /// The number of the oldest fix in the window.
    private(set) var first = 0
    /// The number of the next fix.
    private(set) var end = 0

    init() {
        let nothing = Fix(time: Timestamp(nanosecondsSince1970: 0), coordinate: Coordinate(latitude: 0, longitude: 0))
        places = Array(repeating: nothing, count: Self.capacity)
        marks = Array(repeating: 0, count: Self.capacity)
    }

    var count: Int { end - first }
    var isFull: Bool { count == Self.capacity }

    /// The fix of a number in `first ..< end`.
    subscript(number: Int) -> WindowFix {
        let place = number & (Self.capacity - 1)
        return WindowFix(fix: places[place], mark: marks[place], number: number)
    }

    /// Returns the values to which the bound applies, of the fix of a number in `first ..< end`.
    func point(_ number: Int) -> TrackPoint { TrackPoint(places[number & (Self.capacity - 1)]) }

    /// The newest fix, even if it has been dropped; meaningless before the first.
    var last: WindowFix { self[end - 1] }

    /// The time of ``last``.
    var lastTime: Timestamp { places[(end - 1) & (Self.capacity - 1)].time }

    /// Appends a fix, with a number that belongs to it; there must be room.
    mutating func append(_ fix: Fix, mark: Double) {
        places[end & (Self.capacity - 1)] = fix
        marks[end & (Self.capacity - 1)] = mark
        end += 1
    }

    /// Drops the fixes before a number.
    mutating func drop(before number: Int) {
        first = min(max(first, number), end)
    }

    /// Drops all fixes.
    mutating func removeAll() {
        first = end
    }
}

extension FixWindow: Hashable {
    /// Whether both hold the same fixes under the same numbers; dropped fixes do not count.
    static func == (left: FixWindow, right: FixWindow) -> Bool {
        left.first == right.first && left.end == right.end
            && (left.first..<left.end).allSatisfy { left[$0] == right[$0] }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        hasher.combine(end)
    }
}

/// The values of a fix to which a bound on deviation applies.
struct TrackPoint: Sendable, Hashable, BitwiseCopyable {
    let coordinate: Coordinate
    let time: Timestamp
    let altitude: Double?

    @inline(__always)
    init(_ fix: Fix) {
        coordinate = fix.coordinate
        time = fix.time
        altitude = fix.altitude
    }
}

/// A fix of a window, which may be kept later.
struct WindowFix: Sendable, Hashable, BitwiseCopyable {
    let fix: Fix
    /// A number that belongs to the fix: the odometer.
    let mark: Double
    /// The number assigned to the fix on arrival.
    let number: Int
}
