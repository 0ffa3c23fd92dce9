package import TrackEngine

/// Whether the time of day can be right, for a schedule: a wrong one must not keep tracking off for ever. A pure value.
///
/// A clock that shows a time before 2025 was never set. One from which the newest fix of a live source, which has the satellites'
/// time, is an hour or more away is wrong, be it ahead or behind; whole periods of 1024 weeks are the receiver's own mistake and
/// do not count. Without a fix the clock is believed: else a machine without a view of the sky had no schedule.
///
/// | clock | fix | trusted |
/// |---|---|---|
/// | 1970 | none | no |
/// | 2026-06-01 08:00 | none | yes |
/// | 2026-06-01 08:00 | of 07:59 | yes |
/// | 2026-06-01 08:00 | of the day before | no |
/// | 2026-06-01 08:00 | of 07:59, 1024 weeks before | yes |
package struct ClockWitness: Sendable {
    /// 2025-01-01.
    private static let earliest = Timestamp(secondsSince1970: 1_735_689_600)
    /// How far a fix may be from the clock, in seconds.
    private static let tolerance = 3600.0
    /// After how many seconds a receiver that counts weeks in ten bits begins anew.
    private static let rollover = 1024.0 * 7 * 86_400
    /// By how much the clock and the monotonic one may drift apart before what a fix said counts no more.
    private static let jump = Duration.seconds(600)

    /// Whether the newest fix agreed with the clock; absent without one.
    private var agrees: Bool?
    /// What both clocks showed at the last look.
    private var last: (wall: Timestamp, elapsed: Duration)?

    package init() {}

    /// Takes a fix of a live source, and what the clock showed when it came; returns whether that is news.
    package mutating func note(_ fix: Timestamp, arrival: Timestamp) -> Bool {
        let lead = fix.duration(since: arrival) / .seconds(1)
        let before = agrees
        agrees = abs(lead.remainder(dividingBy: Self.rollover)) < Self.tolerance
        return agrees != before
    }

    /// Looks at the clock.
    ///
    /// - Parameter elapsed: what a monotonic clock shows, from any beginning.
    package mutating func trusts(_ wall: Timestamp, elapsed: Duration) -> Bool {
        if let last {
            let drift = wall.duration(since: last.wall) - (elapsed - last.elapsed)
            // The clock was set: what was wrong may be right now, and the other way round.
            if drift > Self.jump || drift < .zero - Self.jump { agrees = nil }
        }
        last = (wall, elapsed)
        return wall >= Self.earliest && agrees != false
    }
}
