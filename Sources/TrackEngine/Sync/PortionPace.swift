/// How many records are offered at once: fewer after a time-out or a dead letter, twice as many after each success.
package struct PortionPace: Sendable, Hashable {
    /// The most records of the next portion; without a bound while nothing is wrong.
    package private(set) var size = Int.max
    /// How many records were taken since the last poison record.
    private var distance = 2 * largestAfterPoisonRecord
    /// How many records have to be taken until the next failure is an ordinary one again.
    private var watchful = 0

    /// The most records that are offered directly after a poison record.
    package static let largestAfterPoisonRecord = 16
    /// Poison records come together: for so many records after one a failure begins a search at once.
    package static let watchfulFor = 1000
    /// From here on a size is none.
    private static let largest = 1 << 20

    package init() {}

    /// Whether a failure begins a search at once.
    package var isWatchful: Bool { watchful > 0 }

    /// The receiver took so many records in their turn.
    package mutating func taken(_ count: Int) {
        distance = min(distance + count, Self.largest)
        watchful = max(0, watchful - count)
        guard count >= size else { return }
        size = size > Self.largest / 2 ? .max : size * 2
    }

    /// The receiver did not answer so many records in time.
    package mutating func wasTooMuch(_ count: Int) { size = max(1, count / 2) }

    /// A poison record was found. The next one is expected as far after it as it was after the one before, so half of
    /// that is offered: then every second portion or fewer has one.
    package mutating func foundPoisonRecord() {
        size = max(1, min(distance / 2, Self.largestAfterPoisonRecord))
        distance = 0
        watchful = Self.watchfulFor
    }

    /// The receiver is down or rejects everything.
    package mutating func stopWatching() { watchful = 0 }
}
