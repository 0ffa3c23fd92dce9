internal import TrackEngine

/// The zone of a table's times that name none, by a column with numbers since 1970.
///
/// The first row decides. If its number differs from its time by the offset of a zone, it is of the same moment, and the
/// offset counts from then on, also in rows without a number. Otherwise the numbers are of something else. The offset
/// changes by half an hour or an hour, as at the end of summer time, and only where the number goes on.
///
/// | time | number of | moment |
/// |---|---|---|
/// | 10:00:00 | 09:00:00Z | 09:00:00Z |
/// | 10:00:10 | | 09:00:10Z |
/// | 10:00:20 | 09:00:00Z | 09:00:20Z |
struct CSVEpoch {
    private enum Zone {
        case unknown
        /// Seconds ahead of UTC.
        case offset(Double)
        /// The numbers are of something else.
        case none
    }

    private static let quarter = 900.0
    /// Seconds: some times have no seconds, and some numbers are of the arrival at a server.
    private static let tolerance = 60.0
    private static let farthest = 14 * 3600.0

    private var zone = Zone.unknown
    private var latest: Timestamp?

    /// The moment of a time, read as UTC, in a row with this number.
    mutating func moment(of local: Timestamp, _ number: Timestamp?) -> Timestamp {
        if let number { note(local.duration(since: number) / .seconds(1), number) }
        guard case .offset(let seconds) = zone else { return local }
        return local.advanced(by: .seconds(-seconds))
    }

    private mutating func note(_ difference: Double, _ number: Timestamp) {
        defer { latest = number }
        let offset = (difference / Self.quarter).rounded() * Self.quarter
        let isZone = abs(offset) <= Self.farthest && abs(difference - offset) <= Self.tolerance
        switch zone {
        case .unknown: zone = isZone ? .offset(offset) : .none
        case .offset(let seconds):
            if isZone, [1800, 3600].contains(abs(offset - seconds)), number != latest { zone = .offset(offset) }
        case .none: break
        }
    }
}
