public import FoundationEssentials
public import TrackEngine

extension Date {
    /// The time with the precision of a date: better than a microsecond within a century of 2001.
    public init(_ timestamp: Timestamp) {
        let seconds = Double(timestamp.secondsSince1970 - Date.reference)
        self.init(timeIntervalSinceReferenceDate: seconds + Double(timestamp.nanosecondsInSecond) * 1e-9)
    }

    /// 2001-01-01T00:00:00Z, the reference date of `Date`, in seconds since 1970.
    fileprivate static let reference: Int64 = 978_307_200
}

extension Timestamp {
    /// The time of a date. A date outside of the years 1677 to 2262 becomes the nearest time within, and a date that
    /// is not a number becomes the earliest.
    public init(_ date: Date) {
        // Relative to the reference date, in which dates are stored: any other start costs precision.
        let interval = date.timeIntervalSinceReferenceDate
        let range = -2e10...2e10  // seconds; some six centuries, more than a timestamp holds
        let clamped = interval.isNaN ? range.lowerBound : min(max(interval, range.lowerBound), range.upperBound)
        let whole = clamped.rounded(.down)
        self.init(
            secondsSince1970: Int64(whole) + Date.reference, nanoseconds: Int64(((clamped - whole) * 1e9).rounded()))
    }
}
