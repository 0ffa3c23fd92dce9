/// Puts right the date of a receiver that has lost count of its weeks.
///
/// GPS broadcasts its week number modulo 1024, so old firmware lands a multiple of 1024 weeks (7168 days) away from the
/// truth. A live fix is brought to the occurrence nearest to now. A recorded one may honestly be old, so only a date in
/// the future is brought back, to its last occurrence before now. The time within the day is never touched.
package struct WeekRollover: Sendable, Hashable, BitwiseCopyable {
    /// 1024 weeks, in nanoseconds.
    private static let period: Int64 = 1024 * 7 * 86_400 * 1_000_000_000
    /// A wall clock before this (2025-01-01) is that of a machine that has not learnt the time yet.
    private static let earliestBelievable = Timestamp(secondsSince1970: 1_735_689_600)
    /// How far ahead of the wall clock a recorded fix may be before its date counts as wrong: a day, for wrong zones.
    private static let tolerance: Int64 = 86_400_000_000_000

    package let timeBase: TimeBase

    package init(timeBase: TimeBase) {
        self.timeBase = timeBase
    }

    /// The fix, with its date put right and flagged if it was wrong.
    package func corrected(_ fix: Fix, wallClock: Timestamp) -> Fix {
        let periods = periodsOff(fix.time, wallClock: wallClock)
        guard periods != 0 else { return fix }
        let time = Timestamp(
            nanosecondsSince1970: fix.time.nanosecondsSince1970.saturatingAdd(periods.saturatingMultiply(Self.period)))
        return fix.retimed(time, adding: .weekRolloverCorrected)
    }

    /// By how many times 1024 weeks a time is off; nearly always 0.
    func periodsOff(_ time: Timestamp, wallClock: Timestamp) -> Int64 {
        let now = max(wallClock, Self.earliestBelievable)
        let behind = now.nanosecondsSince1970.saturatingSubtract(time.nanosecondsSince1970)
        switch timeBase {
        case .fixTime:
            guard time.nanoseconds(since: now) > Self.tolerance else { return 0 }
            return behind.flooredDivision(by: Self.period)
        case .arrival:
            // Nearest occurrence to now, or, where now itself is unknown, the first one after the earliest possible.
            let half = wallClock < Self.earliestBelievable ? Self.period - 1 : Self.period / 2
            return behind.saturatingAdd(half).flooredDivision(by: Self.period)
        }
    }
}
