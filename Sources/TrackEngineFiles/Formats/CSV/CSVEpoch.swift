internal import TrackEngine

/// The zone of a table's times that name none, by a column with numbers since 1970.
///
/// The first fix with a number decides. If that differs from its time by the offset of a zone, it is of the same moment,
/// and the offset counts from then on, also in rows without a number. Otherwise the numbers are of something else. If they
/// are exact, the offset changes with them, as at the end of summer time or on a flight.
///
/// | time | number of | moment |
/// |---|---|---|
/// | 10:00:00 | 09:00:00Z | 09:00:00Z |
/// | 10:00:10 | | 09:00:10Z |
/// | 10:00:20 | 09:00:00Z | 09:00:20Z |
struct CSVEpoch {
    private enum Zone {
        case unknown
        /// Seconds ahead of UTC, and whether the number of the first fix was exact.
        case offset(Double, isExact: Bool)
        /// The numbers are of something else.
        case none
    }

    private static let quarter = 900.0
    /// Seconds: some times have no seconds, and some numbers are of the arrival at a server.
    private static let tolerance = 60.0
    private static let exact = 1.0
    private static let farthest = 14 * 3600.0

    /// The whole quarters of an hour in a difference, in seconds; `nil` for another difference.
    static func offset(_ difference: Double, within tolerance: Double = tolerance) -> Double? {
        let offset = (difference / quarter).rounded() * quarter
        return abs(difference - offset) <= tolerance ? offset : nil
    }

    private var zone = Zone.unknown
    private var latest: Timestamp?

    /// The moment of a time, read as UTC, in a row with this number.
    mutating func moment(of local: Timestamp, _ number: Timestamp?) -> Timestamp {
        if let number, number >= TimeOrigin.earliest { note(local.duration(since: number) / .seconds(1), number) }
        guard case .offset(let seconds, _) = zone else { return local }
        return local.advanced(by: .seconds(-seconds))
    }

    private mutating func note(_ difference: Double, _ number: Timestamp) {
        defer { latest = number }
        let exact = Self.offset(difference, within: Self.exact)
        switch zone {
        case .unknown:
            let found = Self.offset(difference)
            zone = found.map { abs($0) <= Self.farthest ? .offset($0, isExact: exact != nil) : .none } ?? .none
        case .offset(_, let isExact):
            guard isExact, let exact, abs(exact) <= Self.farthest, number != latest else { return }
            zone = .offset(exact, isExact: true)
        case .none: break
        }
    }
}
