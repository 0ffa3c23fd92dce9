/// A time in UTC, counted in nanoseconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// Range: the years 1677 to 2262. Arithmetic saturates at both ends, so that no input can trap.
public struct Timestamp: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Nanoseconds since 1970-01-01T00:00:00Z; negative before it.
    public let nanosecondsSince1970: Int64

    /// Creates a time from nanoseconds since 1970.
    @inlinable
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// Creates a time from whole seconds since 1970 and a fraction, which may be any number of nanoseconds.
    public init(secondsSince1970 seconds: Int64, nanoseconds: Int64 = 0) {
        // In 128 bits, because the first second of the range begins before the range.
        self.init(nanosecondsSince1970: Int64(clamping: Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)))
    }

    /// Creates a time from whole seconds since 1970 and a fraction; `nil` beyond the range, for readers of times that
    /// others wrote: a wrong year is not to become the nearest one.
    package init?(exactSecondsSince1970 seconds: Int64, nanoseconds: Int64 = 0) {
        guard let whole = Int64(exactly: Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)) else { return nil }
        self.init(nanosecondsSince1970: whole)
    }

    /// Whole seconds since 1970, rounded down.
    public var secondsSince1970: Int64 {
        nanosecondsSince1970.flooredDivision(by: 1_000_000_000)
    }

    /// The part of a second after ``secondsSince1970``, 0 to 999 999 999.
    public var nanosecondsInSecond: Int64 {
        let remainder = nanosecondsSince1970 % 1_000_000_000
        return remainder < 0 ? remainder + 1_000_000_000 : remainder
    }

    /// Whether the left time is the earlier one.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }

    /// Returns the time elapsed since `earlier`; negative when `earlier` is later.
    public func duration(since earlier: Timestamp) -> Duration {
        .nanoseconds(nanoseconds(since: earlier))
    }

    /// As ``duration(since:)``, in nanoseconds.
    func nanoseconds(since earlier: Timestamp) -> Int64 {
        nanosecondsSince1970.saturatingSubtract(earlier.nanosecondsSince1970)
    }

    /// Returns the time this long after (or, with a negative duration, before) this one.
    public func advanced(by duration: Duration) -> Timestamp {
        Timestamp(nanosecondsSince1970: nanosecondsSince1970.saturatingAdd(duration.saturatedNanoseconds))
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to `Int64` where it is longer than 292 years.
    package var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.saturatingMultiply(1_000_000_000).saturatingAdd(attoseconds / 1_000_000_000)
    }

    /// The duration in seconds as a floating-point number.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}

extension Int64 {
    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    func saturatingMultiply(_ other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
