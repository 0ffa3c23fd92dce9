/// Puts right the date of a receiver that has lost count of its weeks.
///
/// GPS broadcasts its week number modulo 1024, so old firmware lands a multiple of 1024 weeks (7168 days) away from the
/// truth. A date is put right only where that is certain: the machine's clock is believable (2025 to 2099), and another
/// occurrence of the date lies within two days of it. A recorded fix may honestly be old, so of those only a date in the
/// future is put right. Every other date stays what the receiver said, for `maximumAge` and `maximumLead` to judge. The
/// time within the day is never touched.
///
/// | base | date | clock | becomes |
/// |---|---|---|---|
/// | live | 2007-04-07 | 2026-11-21 | 2026-11-21 |
/// | live | 2015-06-01 | 2026-11-21 | as it is: 1024 weeks later are 2035 |
/// | live | 2026-11-21 | 2038-01-19 | as it is |
/// | live | 2007-04-07 | 1970-01-01 | as it is: the clock has not been set |
/// | recorded | 2007-04-07 | 2026-11-21 | as it is: it may be that old |
/// | recorded | 2046-07-07 | 2026-11-21 | 2026-11-21 |
package struct WeekRollover: Sendable, Hashable, BitwiseCopyable {
    /// 1024 weeks, in nanoseconds.
    private static let period: Int64 = 1024 * 7 * 86_400 * 1_000_000_000
    /// How far from the clock a date put right may be, in nanoseconds: two days, for wrong zones and slow clocks.
    private static let tolerance: Int64 = 2 * 86_400 * 1_000_000_000
    /// A clock outside of these times, 2025-01-01 to 2099-12-31, has not been set or has been set wrongly.
    private static let believable =
        Timestamp(secondsSince1970: 1_735_689_600)..<Timestamp(secondsSince1970: 4_102_444_800)

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
        let behind = wallClock.nanoseconds(since: time)
        guard behind.magnitude >= UInt64(Self.period - Self.tolerance) else { return 0 }
        return certainPeriods(behind: behind, wallClock: wallClock)
    }

    private func certainPeriods(behind: Int64, wallClock: Timestamp) -> Int64 {
        guard Self.believable.contains(wallClock), timeBase == .arrival || behind < 0 else { return 0 }
        let periods = behind.saturatingAdd(Self.period / 2).flooredDivision(by: Self.period)
        let error = behind.saturatingSubtract(periods.saturatingMultiply(Self.period))
        return error.magnitude <= UInt64(Self.tolerance) ? periods : 0
    }
}
