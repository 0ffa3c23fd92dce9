extension PoisonRecordSearch {
    /// Records that were rejected by themselves, and what is proven against them so far.
    package struct Accusation: Sendable, Hashable {
        /// How many records, the first of the batch.
        package let accused: Int
        /// The vaguest way in which they were rejected.
        package private(set) var rejection: Rejection
        /// Whether the receiver had rejected everything before: it may just have been mended.
        package let isAfterTotal: Bool
        /// How often the accused were rejected directly after controls that were taken.
        package private(set) var rounds = 0
        /// Controls taken in a row since the accused were last rejected.
        package private(set) var controlsInARow = 0
        /// Controls rejected in a row.
        package private(set) var rejectedInARow = 0
        /// Controls rejected in all.
        private var rejectedInAll = 0
        /// Whether any control was taken.
        package private(set) var hasTaken = false
        /// Whether a control was rejected since the accused were.
        package private(set) var hasRejectedControl = false

        init(_ accused: Int, _ rejection: Rejection, isAfterTotal: Bool) {
            (self.accused, self.rejection, self.isAfterTotal) = (accused, rejection, isAfterTotal)
        }

        /// Whether so many controls were rejected that nothing can be learnt.
        var isHopeless: Bool {
            rejectedInARow >= PoisonRecordSearch.maximumControls
                || rejectedInAll >= 3 * PoisonRecordSearch.maximumControls
        }

        /// How many controls count as rejected in the choice of the next one. Where one was taken and another rejected,
        /// the one that was taken comes again at once: nearly all others may be as bad as the accused.
        var controlsTried: Int {
            hasTaken && hasRejectedControl ? PoisonRecordSearch.maximumControls - 1 : rejectedInARow
        }

        /// How many controls in a row are taken before the accused are tried again: two, so that a receiver that takes
        /// one delivery in so many never shows a proof; and one for the second time, so that the distances between the
        /// rejections differ and one that rejects one delivery in so many does not show one, either.
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

        /// The accused were rejected again, directly after a control that was taken.
        mutating func wasConfirmed(by rejection: Rejection) {
            rounds += 1
            hasRejectedControl = false
            waitForControl()
            self.rejection = max(self.rejection, rejection)
        }

        /// What was taken is too long ago: another control is needed.
        mutating func waitForControl() {
            controlsInARow = 0
            rejectedInARow = 0
        }
    }

    /// Counts failures in a row until it is time to look for a reason; in an outage ever more rarely.
    package struct FailureCount: Sendable, Hashable {
        private let first: Int
        private var next: Int
        private var count = 0

        package init(first: Int) { (self.first, next) = (first, first) }

        /// Another failure; whether it is time.
        package mutating func add() -> Bool {
            count = min(count + 1, 1 << 30)
            return count >= next
        }

        /// The look found nothing: the next one comes after twice as many failures.
        package mutating func foundNothing() {
            count = max(count, next)
            next = min(next * 2, 1 << 20)
        }

        package mutating func reset() { (count, next) = (0, first) }
    }
}
