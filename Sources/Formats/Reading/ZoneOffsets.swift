/// How far the clock of a time zone is ahead of UTC, over the years: for times that are written without a zone.
///
/// | clock on the wall | with | is |
/// |---|---|---|
/// | any | exactly one moment | that moment |
/// | skipped in spring | none | as if the clock had not been put forward: the offset before the change |
/// | twice in autumn | two | the earlier one: the offset before the change |
public struct ZoneOffsets: Sendable, Hashable {
    /// A moment from which another offset holds.
    struct Change: Sendable, Hashable {
        /// Seconds since 1970 in UTC.
        let time: Int64
        /// Seconds ahead of UTC from then on.
        let offset: Int64
    }

    /// UTC itself.
    public static let utc = ZoneOffsets(initial: 0, changes: [])

    /// Seconds ahead of UTC before the first change.
    private let initial: Int64
    /// In the order of time.
    private let changes: [Change]

    init(initial: Int64, changes: [Change]) {
        self.initial = initial
        self.changes = changes
    }

    /// The same offset at all times.
    ///
    /// - Parameter seconds: seconds ahead of UTC, less than a day; `nil` for more.
    public init?(secondsAheadOfUTC seconds: Int) {
        guard seconds.magnitude < 86_400 else { return nil }
        self.init(initial: Int64(seconds), changes: [])
    }

    /// Seconds ahead of UTC when the clock of the zone shows a date and time.
    ///
    /// - Parameter clock: what the clock shows, in seconds since it showed the beginning of 1970.
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
