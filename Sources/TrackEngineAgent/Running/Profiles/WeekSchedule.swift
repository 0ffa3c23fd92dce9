package import TrackEngine

/// Finds the window of the week that applies at a moment. A pure value.
///
/// Only the local time of the zone at that moment counts:
///
/// | Berlin, the clock goes from 02:00 to 03:00 | applies |
/// |---|---|
/// | 02:15 to 02:45 | not on that day: the clock shows no such time |
/// | 02:30 to 04:00 | from 03:00 on |
/// | 22:00 to 06:00, begun the evening before | an hour less |
///
/// | Berlin, the clock goes from 03:00 to 02:00 | applies |
/// |---|---|
/// | 02:15 to 02:45 | twice, half an hour each |
/// | 22:00 to 06:00, begun the evening before | an hour more |
package struct WeekSchedule: Sendable {
    private let windows: [ScheduleSettings.Window]
    private let clock: ZoneClock
    /// The times of day at which windows begin or end, in minutes, in order.
    private let bounds: [Int64]

    /// Makes a schedule; `nil` if there is no window.
    package init?(_ windows: [ScheduleSettings.Window], clock: ZoneClock) {
        guard !windows.isEmpty else { return nil }
        self.windows = windows
        self.clock = clock
        let times = windows.flatMap { [$0.from.minutes, $0.to.minutes].map { $0 % TimeOfDay.minutesOfDay } }
        bounds = Set(times).sorted().map(Int64.init)
    }

    /// The window that applies at a moment; `nil` outside all windows.
    package func window(at time: Timestamp) -> ScheduleSettings.Window? {
        let local = LocalTime(time, offset: clock.offset(time))
        return windows.first { $0.holds(at: local) }
    }

    /// The next moment after a time at which another window may apply, at most a day and an hour later.
    package func nextLook(after time: Timestamp) -> Timestamp {
        let offset = clock.offset(time)
        let second = LocalTime(time, offset: offset).secondOfDay
        let next = bounds.first { $0 * 60 > second } ?? (bounds[0] + Int64(TimeOfDay.minutesOfDay))
        let whole = Timestamp(secondsSince1970: time.wholeSeconds)
        let bound = whole.advanced(by: .seconds(next * 60 - second))
        return clock.nextChange(time).map { $0 > time ? min($0, bound) : bound } ?? bound
    }
}

/// The local time of a zone.
private struct LocalTime {
    /// The day of the week, with Monday as 0.
    let weekday: Int
    /// 0 to 86 399.
    let secondOfDay: Int64

    init(_ time: Timestamp, offset: Int64) {
        let seconds = time.wholeSeconds + offset
        let day = seconds.flooredQuotient(by: 86_400)
        secondOfDay = seconds - day * 86_400
        // The first of January 1970 was a Thursday.
        weekday = Int((day + 3) - (day + 3).flooredQuotient(by: 7) * 7)
    }
}

extension ScheduleSettings.Window {
    fileprivate func holds(at local: LocalTime) -> Bool {
        let minute = Int(local.secondOfDay / 60)
        let today = days.contains(Weekday(number: local.weekday))
        if from < to { return today && minute >= from.minutes && minute < to.minutes }
        let yesterday = days.contains(Weekday(number: (local.weekday + 6) % 7))
        return today && minute >= from.minutes || yesterday && minute < to.minutes
    }
}

extension Timestamp {
    /// Seconds since 1970, rounded down.
    fileprivate var wholeSeconds: Int64 { nanosecondsSince1970.flooredQuotient(by: 1_000_000_000) }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
