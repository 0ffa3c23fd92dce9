package import TrackEngine

/// Decides whether the time of day can be right, for a schedule: a wrong clock must not keep tracking off for ever. A
/// pure value.
///
/// A clock that shows a time before 2025 was never set. A clock is wrong, ahead or behind, if it differs by an hour
/// or more from the newest fix of a live source, which has the satellites' time. Whole periods of 1024 weeks are an
/// error of the receiver and do not count. Without a fix the clock is trusted; otherwise a machine without a view of
/// the sky would have no schedule.
///
/// | clock | fix | trusted |
/// |---|---|---|
/// | 1970 | none | no |
/// | 2026-06-01 08:00 | none | yes |
/// | 2026-06-01 08:00 | of 07:59 | yes |
/// | 2026-06-01 08:00 | of the day before | no |
/// | 2026-06-01 08:00 | of 07:59, 1024 weeks before | yes |
package struct ClockCheck: Sendable {
    /// The largest difference between a fix and the clock, in seconds.
    private static let tolerance = 3600.0
    /// The period after which a receiver that counts weeks in ten bits starts again, in seconds.
    private static let rollover = 1024.0 * 7 * 86_400
    /// The largest drift between the wall clock and the monotonic clock; after a larger one, the last fix no longer
    /// counts.
    private static let jump = Duration.seconds(600)

    /// Whether the newest fix agreed with the clock; absent without a fix.
    private var agrees: Bool?
    /// Both clocks at the last check.
    private var last: (wall: Timestamp, elapsed: Duration)?

    package init() {}

    /// Compares a fix of a live source with the clock at its arrival; returns whether the result has changed.
    package mutating func note(_ fix: Timestamp, arrival: Timestamp) -> Bool {
        let lead = fix.duration(since: arrival) / .seconds(1)
        let before = agrees
        agrees = abs(lead.remainder(dividingBy: Self.rollover)) < Self.tolerance
        return agrees != before
    }

    /// Returns whether the clock can be right.
    ///
    /// - Parameter elapsed: the reading of a monotonic clock with any origin.
    package mutating func trusts(_ wall: Timestamp, elapsed: Duration) -> Bool {
        if let last {
            let drift = wall.duration(since: last.wall) - (elapsed - last.elapsed)
            // The clock was set: a wrong clock may be right now, and the reverse.
            if drift > Self.jump || drift < .zero - Self.jump { agrees = nil }
        }
        last = (wall, elapsed)
        return wall >= .earliestClock && agrees != false
    }
}
