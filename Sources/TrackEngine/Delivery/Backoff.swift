/// The wait after consecutive failures: `min(maximum, 2^tried - 1)` seconds, CalmGeo's formula.
///
/// | tried | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 … |
/// |---|---|---|---|---|---|---|---|---|---|---|---|
/// | seconds | 0 | 1 | 3 | 7 | 15 | 31 | 63 | 127 | 255 | 511 | 600 |
public struct Backoff: Sendable, Hashable {
    /// The longest wait, 1 s to 1 day. Default 600 s.
    public var maximum: Duration
    /// Draws the wait evenly from zero to the formula's value ("full jitter"), so that the devices of a fleet do not
    /// return at the same time. Default false.
    public var jitter: Bool

    /// Creates a back-off; the defaults are those of CalmGeo.
    public init(maximum: Duration = .seconds(600), jitter: Bool = false) {
        self.maximum = maximum
        self.jitter = jitter
    }

    /// Returns the wait after this many consecutive failures, without jitter.
    public func wait(tried: Int) -> Duration {
        guard tried > 0 else { return .zero }
        let seconds = Int64(1) << Int64(min(tried, 62)) - 1
        return min(maximum, .seconds(seconds))
    }

    /// Returns the wait after this many consecutive failures, drawn at random if ``jitter`` is on.
    public func wait(tried: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let full = wait(tried: tried)
        guard jitter, full > .zero else { return full }
        return .nanoseconds(Int64.random(in: 0...full.saturatedNanoseconds, using: &generator))
    }
}
