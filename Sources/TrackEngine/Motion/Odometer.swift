/// The distance that an object has travelled, in metres, without the effect of noise.
///
/// A receiver measures its speed, from the Doppler shift, much better than its position. Therefore, if it reports the
/// speed, distance is speed integrated over time, with noise-level speeds counted as zero. Positions confirm it: the
/// integrated distance counts only once the object has moved away from its last counted position by more than
/// ``leastHop`` and the position's uncertainty. If speeds are missing, or fixes are farther apart than ``longestStep``
/// (in a tunnel), the distance between these positions counts instead.
///
/// An object at rest (as determined by ``MotionStateMachine``) is not measured at all, so a parked one adds no distance
/// however its position wanders; where it departs, the way out of the radius of rest counts. If it "departs" without
/// any speed, and not far, it has not moved: the position has wandered.
struct Odometer: Sendable, Hashable, BitwiseCopyable {
    /// The shortest distance that counts, in metres.
    private static let leastHop = 16.0
    /// The longest time over which speeds are integrated, in nanoseconds.
    private static let longestStep: Int64 = 3_000_000_000
    /// The largest plausible ratio of the integrated distance to the straight distance.
    private static let mostWinding = 3.0
    /// The smallest plausible ratio; below it the speeds are noise and the position has wandered.
    private static let leastShare = 0.25
    /// The integrated distances, in metres, that are plausible by both ratios for a distance of ``leastHop``.
    private static let believable = leastShare * leastHop...mostWinding * leastHop
    /// The distance, in metres, below which two fixes without speed show a wandering position, not a moved object.
    /// Farther apart, the object was carried or towed.
    private static let mostWandering = 48.0
    /// Bounds for the speed below which an object counts as not moving, in metres per second. Between them the
    /// threshold is the speed's own accuracy, which some receivers report far too pessimistically.
    private static let standing = 0.3...1.0

    /// Metres travelled.
    private(set) var metres: Double = 0
    private var origin: Coordinate?
    private var scale = LocalScale(at: 0, bound: 0)
    /// The distance integrated since ``origin``.
    private var pending = 0.0
    /// Whether a speed was missing since ``origin``.
    private var isGuessing = false
    private var lastTime = Timestamp(nanosecondsSince1970: 0)
    private var lastSpeed: Double?

    /// Moves to a fix. With `counting`, the distance to it counts, however short it is.
    mutating func travel(to fix: Fix, counting: Bool) {
        guard let origin else { return begin(at: fix) }
        let speed = fix.believableSpeed(standing: Self.standing)
        let span = fix.time.nanosecondsSince1970.saturatingSubtract(lastTime.nanosecondsSince1970)
        if let lastSpeed, let speed, span > 0, span <= Self.longestStep {
            pending += (lastSpeed + speed) / 2 * Double(span) * 1e-9
        } else if lastSpeed != 0 || speed != 0 || isBeyond(Self.mostWandering, from: origin, to: fix) {
            isGuessing = true
        }
        (lastTime, lastSpeed) = (fix.time, speed)
        if counting || hasLeft(origin, to: fix) { count(from: origin, to: fix) }
    }

    private func hasLeft(_ origin: Coordinate, to fix: Fix) -> Bool {
        isBeyond(max(Self.leastHop, fix.horizontalAccuracy ?? 0), from: origin, to: fix)
    }

    /// Approximate and fast, by plane arithmetic.
    private func isBeyond(_ hop: Double, from origin: Coordinate, to fix: Fix) -> Bool {
        let north = (fix.coordinate.latitude - origin.latitude) * scale.north
        let east = (fix.coordinate.longitude - origin.longitude) * scale.east
        return north * north + east * east > hop * hop
    }

    private mutating func count(from origin: Coordinate, to fix: Fix) {
        if !isGuessing, Self.believable.contains(pending) {
            metres += pending
        } else {
            let way = origin.distance(to: fix.coordinate)
            let isWandering = pending < Self.leastShare * way
            metres += isGuessing ? way : isWandering ? 0 : min(pending, Self.mostWinding * max(way, Self.leastHop))
        }
        begin(at: fix)
    }

    /// Continues from a fix; the distance to it does not count.
    mutating func begin(at fix: Fix) {
        let latitude = fix.coordinate.latitude
        if !scale.suits(latitude) { scale = LocalScale(at: LocalScale.latitude(near: latitude), bound: 0) }
        origin = fix.coordinate
        (pending, isGuessing) = (0, false)
        (lastTime, lastSpeed) = (fix.time, fix.believableSpeed(standing: Self.standing))
    }

    /// Forgets the position: the distance to the next fix does not count.
    mutating func interrupt() { (origin, pending, isGuessing) = (nil, 0, false) }

    /// Comes to rest at a fix: distance that was not confirmed was noise.
    mutating func rest(at fix: Fix) {
        begin(at: fix)
        if lastSpeed != nil { lastSpeed = 0 }
    }

    /// Counts the distance up to the last fix travelled to, however short.
    mutating func count(upTo fix: Fix) {
        if let origin { count(from: origin, to: fix) }
    }

    /// Continues from the fix of the last record.
    mutating func resume(at fix: Fix, isMoving: Bool) {
        isMoving ? begin(at: fix) : rest(at: fix)
    }

    /// Continues from the distance measured in an earlier run.
    mutating func resume(metres: Double) {
        self.metres = max(metres, self.metres)
    }
}

extension Odometer {
    /// Writes the complete state; the scale follows from the origin.
    func write(to writer: inout StateWriter) {
        writer.write(metres)
        writer.write(isPresent: origin != nil)
        if let origin { writer.write(origin) }
        writer.write(pending)
        writer.write(isPresent: isGuessing)
        writer.write(lastTime)
        writer.write(lastSpeed ?? .nan)
    }

    init?(from reader: inout StateReader) {
        guard let metres = reader.double(), metres.isFinite, metres >= 0,
            let origin = reader.optional({ $0.validCoordinate() }), let pending = reader.double(), pending.isFinite,
            let isGuessing = reader.isPresent(), let lastTime = reader.time(), let lastSpeed = reader.double()
        else { return nil }
        self.init()
        if let origin { begin(at: Fix(time: lastTime, coordinate: origin)) }
        (self.metres, self.pending, self.isGuessing, self.lastTime) = (metres, pending, isGuessing, lastTime)
        self.lastSpeed = lastSpeed.isNaN ? nil : lastSpeed
    }
}

extension Fix {
    fileprivate func believableSpeed(standing: ClosedRange<Double>) -> Double? {
        guard let speed else { return nil }
        let threshold = min(max(speedAccuracy ?? standing.lowerBound, standing.lowerBound), standing.upperBound)
        return speed < threshold ? 0 : speed
    }
}
