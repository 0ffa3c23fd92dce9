/// How far a receiver's rejections of single records are believed.
///
/// Some receivers reject at random, or one of two servers behind an address rejects everything. What such a receiver
/// rejects it takes a moment later, so each contradiction raises the number of proofs that a dead letter needs. Of a
/// receiver that rejects a share q of its requests at random, a good record that is accused is condemned with these
/// probabilities, by the number of ``rounds(for:)``:
///
/// | q | 1 round | 2 | 3 | 4 |
/// |---|---|---|---|---|
/// | 0.1 | 0.09 | 0.008 | 0.0007 | 0.00007 |
/// | 0.5 | 0.25 | 0.06 | 0.016 | 0.004 |
package struct RejectionTrust: Sendable, Hashable {
    /// 0 after a proof, 1 while nothing is known, more after contradictions, at most ``most``.
    private var doubt = 1
    /// Whether the last delivery was taken; `nil` before the first.
    private var wasTaken: Bool?

    private static let most = 4

    package init() {}

    /// How often a suspect must be rejected directly behind controls that were taken.
    package func rounds(for rejection: CulpritSearch.Rejection) -> Int {
        let least =
            switch rejection {
            case .refused, .tooLarge: 1
            case .failed: 2
            case .unanswered, .paused: 3  // no verdict about a record
            }
        return least + max(0, doubt - 1)
    }

    /// How many controls in a row must be taken before the accused are tried again: until a first proof two, so that the
    /// rhythm of a receiver that takes one delivery in so many, whatever it carries, does not pass for one.
    package func controlsInARow(for accusation: CulpritSearch.Accusation) -> Int {
        guard doubt > 0 else { return 1 }
        return accusation.rounds == 0 || accusation.hasRejectedControl ? 2 : 1
    }

    /// A delivery was taken or rejected; returns whether the one before was taken.
    @discardableResult
    package mutating func note(isTaken: Bool) -> Bool {
        defer { wasTaken = isTaken }
        return wasTaken == true
    }

    /// The receiver took what it had rejected.
    package mutating func contradicted() { doubt = min(max(doubt, 1) + 1, Self.most) }

    /// A culprit was proven.
    package mutating func proven() { doubt = max(0, doubt - 1) }
}
