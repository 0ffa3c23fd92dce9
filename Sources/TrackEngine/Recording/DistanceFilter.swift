/// CalmGeo's recording rule: a fix is kept if it lies farther from the last kept one than a distance that grows with
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
    /// `m`; absent when speed is ignored.
    public let speedMultiplier: Double?
    /// A cap on `T`, in metres; CalmGeo has none.
    public let maximum: Double?

    /// Below this speed, in m/s, the threshold is `F`: half a step of 5 m/s.
    @usableFromInline static let slowestScaledSpeed = 2.5

    /// Creates a filter. Values are not checked; ``RecordingConfiguration/validated()`` checks a user's.
    @inlinable
    public init(base: Double = 16, speedMultiplier: Double? = 3.1, maximum: Double? = nil) {
        self.base = base
        self.speedMultiplier = speedMultiplier
        self.maximum = maximum
    }

    /// Returns `T` for a speed in metres per second, in metres.
    @inlinable
    public func threshold(speed: Double?) -> Double {
        threshold(speedOrNaN: speed ?? .nan)
    }

    /// As ``threshold(speed:)``; an unknown speed is NaN, which the comparisons for slow speeds also cover.
    @inlinable
    func threshold(speedOrNaN speed: Double) -> Double {
        guard let speedMultiplier, speed >= Self.slowestScaledSpeed, speed < .infinity else { return base }
        let product = Self.rounded(speed / 5) * speedMultiplier * base
        let scaled = product > base ? product : base  // one instruction, where `max` is five
        guard let maximum else { return scaled }
        return min(scaled, max(maximum, base))
    }

    /// Returns a positive number rounded to a whole one, halves up.
    ///
    /// On x86 `rounded(.toNearestOrAwayFromZero)` is a call into the C library. Adding 2^52 leaves no bits for a
    /// fraction, so the sum is rounded, halves to the even neighbour; if that was the lower one, the result is
    /// corrected by 1.
    @inlinable
    static func rounded(_ value: Double) -> Double {
        guard value < 0x1p51 else { return value.rounded(.toNearestOrAwayFromZero) }
        let nearest = (value + 0x1p52) - 0x1p52
        return nearest + (value - nearest >= 0.5 ? 1 : 0)
    }

    /// Whether a fix this far (metres) from the last kept one, at this speed (m/s), is kept.
    @inlinable
    public func keeps(distance: Double, speed: Double?) -> Bool {
        distance > threshold(speed: speed)
    }
}
