/// The number of records offered at once: fewer after a time-out or a dead letter, twice as many after each success.
package struct BatchPace: Sendable, Hashable {
    /// The maximum number of records in the next portion; unlimited while deliveries succeed.
    package private(set) var size = Int.max
    /// The number of records accepted since the last poison record.
    private var distance = 2 * largestAfterPoisonRecord
    /// The number of records to be accepted before the next failure counts as an ordinary one again.
    private var watchful = 0

    /// The maximum number of records offered directly after a poison record.
    static let largestAfterPoisonRecord = 16
    /// The number of records after a poison record for which a failure begins a search at once: poison records come
    /// together.
    static let watchfulFor = 1000
    /// The size above which portions are unlimited.
    private static let largest = 1 << 20

    package init() {}

    /// Whether a failure begins a search at once.
    var isWatchful: Bool { watchful > 0 }

    /// Notes that the receiver accepted this many records in their turn.
    package mutating func taken(_ count: Int) {
        distance = min(distance + count, Self.largest)
        watchful = max(0, watchful - count)
        guard count >= size else { return }
        size = size > Self.largest / 2 ? .max : size * 2
    }

    /// Notes that the receiver did not answer this many records in time.
    mutating func wasTooMuch(_ count: Int) { size = max(1, count / 2) }

    /// Notes that a poison record was found. The next one is expected as far after it as it was after the previous one.
    /// Half of that distance is offered: then at most every second portion has a poison record.
    mutating func foundPoisonRecord() {
        size = max(1, min(distance / 2, Self.largestAfterPoisonRecord))
        distance = 0
        watchful = Self.watchfulFor
    }

    /// Ends the watch for further poison records, because the receiver is down or rejects every record.
    mutating func stopWatching() { watchful = 0 }
}
