/// The offset of a time zone's clock from UTC over the years, for times without a zone.
///
/// | local time | matching times | result |
/// |---|---|---|
/// | ordinary | one | that time |
/// | skipped in spring | none | as if the clock had not been put forward: the offset before the change |
/// | repeated in autumn | two | the earlier one: the offset before the change |
public struct ZoneOffsetTable: Sendable, Hashable {
    /// A time from which another offset applies.
    struct Change: Sendable, Hashable {
        /// Seconds since 1970 in UTC.
        let time: Int64
        /// The offset from UTC in seconds from then on, positive if ahead.
        let offset: Int64
    }

    /// UTC itself.
    public static let utc = ZoneOffsetTable(initial: 0, changes: [])

    /// The offset from UTC in seconds before the first change, positive if ahead.
    private let initial: Int64
    /// The changes, ordered by time.
    private let changes: [Change]

    init(initial: Int64, changes: [Change]) {
        self.initial = initial
        self.changes = changes
    }

    /// Creates a zone with the same offset at all times.
    ///
    /// - Parameter seconds: The offset in seconds, positive if ahead of UTC, less than a day; `nil` for more.
    public init?(secondsAheadOfUTC seconds: Int) {
        guard seconds.magnitude < 86_400 else { return nil }
        self.init(initial: Int64(seconds), changes: [])
    }

    /// The offset from UTC in seconds for a date and time on the zone's clock.
    ///
    /// - Parameter clock: The time on the clock, in seconds since it showed the beginning of 1970.
    func offset(whenClockShows clock: Int64) -> Int64 {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            let before = middle > 0 ? changes[middle - 1].offset : initial
            if clock < changes[middle].time + max(before, changes[middle].offset) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low > 0 ? changes[low - 1].offset : initial
    }
}
