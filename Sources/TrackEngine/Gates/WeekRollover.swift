/// Corrects the date of a receiver that has lost count of its weeks.
///
/// GPS broadcasts its week number modulo 1024, so old firmware produces dates that are wrong by a multiple of 1024
/// weeks (7168 days). A date is corrected only if that is certain: the machine's clock is plausible (2025 to 2099), and
/// another occurrence of the date lies within two days of it. A recorded fix may really be old, so only recorded dates
/// in the future are corrected. Every other date stays as received, for `maximumAge` and `maximumLead` to check. The
/// time within the day is never changed.
///
/// | base | date | clock | becomes |
/// |---|---|---|---|
/// | live | 2007-04-07 | 2026-11-21 | 2026-11-21 |
/// | live | 2015-06-01 | 2026-11-21 | unchanged: 1024 weeks later are 2035 |
/// | live | 2026-11-21 | 2038-01-19 | unchanged |
/// | live | 2007-04-07 | 1970-01-01 | unchanged: the clock has not been set |
/// | recorded | 2007-04-07 | 2026-11-21 | unchanged: it may be that old |
/// | recorded | 2046-07-07 | 2026-11-21 | 2026-11-21 |
package struct WeekRollover: Sendable, Hashable, BitwiseCopyable {
    /// 1024 weeks, in nanoseconds.
    private static let period: Int64 = 1024 * 7 * 86_400 * 1_000_000_000
    /// The largest distance of a corrected date from the clock, in nanoseconds: two days, for wrong zones and slow
    /// clocks.
    private static let tolerance: Int64 = 2 * 86_400 * 1_000_000_000
    /// A clock outside of these times, 2025-01-01 to 2099-12-31, has not been set or has been set wrongly.
    private static let believable = Timestamp.earliestClock..<Timestamp(secondsSince1970: 4_102_444_800)

    package let timeBase: TimeBase

    package init(timeBase: TimeBase) {
        self.timeBase = timeBase
    }

    /// Returns the fix; if its date was wrong, it is corrected and flagged.
    package func corrected(_ fix: Fix, wallClock: Timestamp) -> Fix {
        let time = corrected(fix.time, wallClock: wallClock)
        return time == fix.time ? fix : fix.retimed(time, adding: .weekRolloverCorrected)
    }

    /// Returns the time, corrected if it was wrong.
    package func corrected(_ time: Timestamp, wallClock: Timestamp) -> Timestamp {
        let periods = periodsOff(time, wallClock: wallClock)
        guard periods != 0 else { return time }
        return Timestamp(
            nanosecondsSince1970: time.nanosecondsSince1970.saturatingAdd(periods.saturatingMultiply(Self.period)))
    }

    /// Returns the number of 1024-week periods by which a time is wrong; nearly always 0.
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
