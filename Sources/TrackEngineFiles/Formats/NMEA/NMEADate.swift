internal import TrackEngine

/// Determines the day of a time of day.
///
/// GGA, GNS, GLL and GST carry no date. The day comes from RMC or ZDA and is carried on: a step back by more than
/// twelve hours is midnight, a step forward by more than 23 hours is a late sentence from before midnight. A smaller
/// step back is kept as reported by the receiver; a smaller step forward is a pause. Before the first date, the days
/// are counted from the first sentence.
struct NMEADate {
    private static let nanosecondsInHour: Int64 = 3_600_000_000_000

    /// The years that two digits can represent: GPS began in 1980.
    static let years: ClosedRange<Int64> = 1980...2079

    /// The day since 1970 once there is a date, otherwise since the first sentence.
    private var day: Int64
    private var latest: Int64?
    /// Whether a date is known.
    private(set) var isDated: Bool

    /// - Parameter day: The days from 1970 to the day of the first sentence, if they are known beforehand.
    init(day: Int64? = nil) {
        self.day = day ?? 0
        isDated = day != nil
    }

    /// The day of the next time of day, given in nanoseconds since midnight: days since 1970, or since the first
    /// sentence before the first date.
    mutating func day(of timeOfDay: Int64) -> Int64 {
        day += dayStep(to: timeOfDay)
        latest = timeOfDay
        return day
    }

    /// Sets the date of the latest time of day, in days since 1970.
    mutating func set(_ stated: Int64) {
        day = stated
        isDated = true
    }

    private func dayStep(to timeOfDay: Int64) -> Int64 {
        guard let latest else { return 0 }
        let step = timeOfDay - latest
        if step < -12 * Self.nanosecondsInHour { return 1 }
        return step > 23 * Self.nanosecondsInHour ? -1 : 0
    }

    /// The day of RMC's `ddmmyy`: 80 to 99 are 1980 to 1999, ``years``. `nil` for an invalid date.
    static func day(ddmmyy field: Span<UInt8>) -> Int64? {
        guard field.count == 6, let day = Timestamp.twoDigits(field, 0), let month = Timestamp.twoDigits(field, 2),
            let year = Timestamp.twoDigits(field, 4)
        else { return nil }
        return CivilDate(checkedYear: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)?.daysSince1970
    }
}
