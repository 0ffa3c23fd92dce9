extension PoisonRecordSearch {
    /// Records that were rejected individually, and the proof against them so far.
    package struct Suspect: Sendable, Hashable {
        /// The number of accused records, the first of the batch.
        package let accused: Int
        /// The least specific way in which they were rejected.
        package private(set) var rejection: Rejection
        /// Whether the receiver had rejected every record before: it may just have been repaired.
        let isAfterTotal: Bool
        /// The number of rejections directly after accepted controls.
        package private(set) var rounds = 0
        /// Controls accepted in a row since the last rejection of the accused records.
        package private(set) var controlsInARow = 0
        /// Controls rejected in a row.
        package private(set) var rejectedInARow = 0
        /// Controls rejected in total.
        private var rejectedInAll = 0
        /// Whether any control was accepted.
        package private(set) var hasTaken = false
        /// Whether a control was rejected since the last rejection of the accused records.
        package private(set) var hasRejectedControl = false

        init(_ accused: Int, _ rejection: Rejection, isAfterTotal: Bool) {
            (self.accused, self.rejection, self.isAfterTotal) = (accused, rejection, isAfterTotal)
        }

        /// Whether so many controls were rejected that the search cannot succeed.
        var isHopeless: Bool {
            rejectedInARow >= PoisonRecordSearch.maximumControls
                || rejectedInAll >= 3 * PoisonRecordSearch.maximumControls
        }

        /// The number of rejected controls for the choice of the next one. Where one control was accepted and another
        /// rejected, the accepted one is used again at once: nearly all others may be as bad as the accused records.
        var controlsTried: Int {
            hasTaken && hasRejectedControl ? PoisonRecordSearch.maximumControls - 1 : rejectedInARow
        }

        /// The number of controls to be accepted in a row before the accused records are tried again. Two at first, so
        /// that a receiver that accepts one delivery in n never produces a proof. One for the second round, so that the
        /// distances between the rejections differ and a receiver that rejects one delivery in n does not produce one,
        /// either.
        var controlsWanted: Int { rounds == 0 || hasRejectedControl ? 2 : 1 }

        mutating func controlWasTaken() {
            hasTaken = true
            controlsInARow += 1
            rejectedInARow = 0
        }

        mutating func controlWasRejected() {
            controlsInARow = 0
            hasRejectedControl = true
            rejectedInARow += 1
            rejectedInAll += 1
        }

        /// Notes that the accused records were rejected again, directly after an accepted control.
        mutating func wasConfirmed(by rejection: Rejection) {
            rounds += 1
            hasRejectedControl = false
            waitForControl()
            self.rejection = max(self.rejection, rejection)
        }

        /// Requires another control, because the last one was accepted too long ago.
        mutating func waitForControl() {
            controlsInARow = 0
            rejectedInARow = 0
        }
    }

    /// Counts consecutive failures until a search is due; during an outage searches become ever rarer.
    package struct FailureCount: Sendable, Hashable {
        private let first: Int
        private var next: Int
        private var count = 0

        package init(first: Int) { (self.first, next) = (first, first) }

        /// Adds a failure. Returns whether a search is due.
        package mutating func add() -> Bool {
            count = min(count + 1, 1 << 30)
            return count >= next
        }

        /// Notes that the search found no reason: the next one is due after twice as many failures.
        mutating func foundNothing() {
            count = max(count, next)
            next = min(next * 2, 1 << 20)
        }

        package mutating func reset() { (count, next) = (0, first) }
    }
}
