package import TrackEngine

/// Distinguishes numbers that count the time since 1970 from numbers that count from the beginning of a recording.
///
/// Both occur under the same headings. The first number of a document decides: receivers have had no position before
/// ``earliest``, so a document that begins with a smaller number counts from its own beginning, which is unknown. In
/// such a document, no number before ``earliest`` is a time. Times in text form are not affected.
///
/// | first number | next number | meaning of the next |
/// |---|---|---|
/// | 1 772 359 200 | 1 772 359 201 | a time |
/// | 1 772 359 200 | 0 | a time, in 1970 |
/// | 0 | 1 | not a time |
/// | 0 (from a clock that was not set) | 1 772 359 200 | a time |
package struct TimeOrigin {
    /// The first second for which a number alone is sufficient: 1973-03-03T09:46:40Z.
    package static let earliest = Timestamp(secondsSince1970: 100_000_000)

    /// The message for a number that counts from another time.
    static let expectation = "expected the time since 1970, not since the beginning of the recording"

    private enum Origin {
        /// No number has been read.
        case unknown
        /// Numbers count since 1970.
        case epoch
        /// Numbers count since the document's beginning.
        case recording
    }

    private var origin = Origin.unknown

    /// Whether a number, read as a time since 1970, is one.
    mutating func accepts(_ moment: Timestamp) -> Bool {
        let isLate = moment >= Self.earliest
        switch origin {
        case .unknown:
            origin = isLate ? .epoch : .recording
            return isLate
        case .epoch: return true
        case .recording: return isLate
        }
    }
}

extension Timestamp {
    /// Creates a time from a number since 1970 with a unit that depends on its size. `nil` for a time beyond the
    /// range of a `Timestamp`.
    ///
    /// | below | unit |
    /// |---|---|
    /// | 1e11 | seconds |
    /// | 1e14 | milliseconds |
    /// | 1e17 | microseconds |
    /// | | nanoseconds |
    ///
    /// Fractions are kept to the microsecond, the precision of a `Double` with the present number of seconds.
    package init?(unixNumber number: Double) {
        let microseconds: Double =
            switch abs(number) {
            case ..<1e11: number * 1e6
            case ..<1e14: number * 1e3
            case ..<1e17: number
            default: number / 1e3
            }
        guard let whole = Int64(exactly: microseconds.rounded()), whole.magnitude <= UInt64(Int64.max / 1000) else {
            return nil
        }
        self.init(nanosecondsSince1970: whole * 1000)
    }
}
