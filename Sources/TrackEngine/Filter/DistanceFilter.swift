/// CalmGeo's recording rule: a fix is kept when it lies farther from the last kept one than a distance that grows with
/// speed.
///
/// With base distance `F` (metres), multiplier `m` and speed `v` (m/s) the threshold is
///
///     T = max(round(v / 5) · m · F, F)        halves away from zero
///
/// and a fix at distance `d` is kept if and only if `d > T`; at exactly `T` it is not. An unknown, negative or
/// non-finite speed gives `F`, and so does a switched-off multiplier. With CalmGeo's defaults, `F` = 16 and `m` = 3.1:
///
/// | v in m/s | 0 ..< 2.5 | 2.5 ..< 7.5 | 7.5 ..< 12.5 | 12.5 ..< 17.5 | 17.5 ..< 22.5 |
/// |---|---|---|---|---|---|
/// | T in m | 16 | 49.6 | 99.2 | 148.8 | 198.4 |
public struct DistanceFilter: Sendable, Hashable, BitwiseCopyable {
    /// `F`, in metres.
    public let base: Double
    /// `m`; absent when speed plays no part.
    public let speedMultiplier: Double?
    /// A cap on `T`, in metres; CalmGeo has none.
    public let maximum: Double?

    /// Describes a filter. Values are taken as they are; ``TrackerConfiguration/validated()`` checks a user's.
    @inlinable
    public init(base: Double = 16, speedMultiplier: Double? = 3.1, maximum: Double? = nil) {
        self.base = base
        self.speedMultiplier = speedMultiplier
        self.maximum = maximum
    }

    /// `T` for a speed in metres per second, in metres.
    @inlinable
    public func threshold(speed: Double?) -> Double {
        guard let speedMultiplier, let speed, speed.isFinite, speed >= 2.5 else { return base }
        let steps = Self.rounded(speed / 5)
        let scaled = max(steps * speedMultiplier * base, base)
        guard let maximum else { return scaled }
        return min(scaled, max(maximum, base))
    }

    /// A positive number rounded to a whole one, halves up; without the call into the C library that
    /// `rounded(.toNearestOrAwayFromZero)` is on x86.
    @inlinable
    static func rounded(_ value: Double) -> Double {
        guard value < 0x1p52 else { return value }  // beyond, every number is whole
        let whole = Double(Int64(value))
        return value - whole >= 0.5 ? whole + 1 : whole
    }

    /// Whether a fix this far (metres) from the last kept one, at this speed (m/s), is kept.
    @inlinable
    public func keeps(distance: Double, speed: Double?) -> Bool {
        distance > threshold(speed: speed)
    }
}
