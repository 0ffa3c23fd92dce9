/// How far a receiver's rejections of single records are believed.
///
/// Some receivers reject at random, or one of two servers behind an address rejects everything. What such a receiver
/// rejects it takes a moment later, so each contradiction raises the number of proofs that a dead letter needs. Of a
/// receiver that rejects a share q of its requests at random, a good record that is accused is condemned with these
/// probabilities, by the number of ``rounds(for:)``:
///
/// | q | 2 rounds | 3 | 4 |
/// |---|---|---|---|
/// | 0.1 | 0.008 | 0.0007 | 0.00007 |
/// | 0.5 | 0.06 | 0.016 | 0.004 |
///
/// Two rounds are rejected, taken, taken, rejected, taken, rejected. No receiver that rejects one delivery in so many
/// shows that, and none that takes one in so many: servers behind one address that take turns, of which one is bad, or
/// one is good, never condemn a good record. Rhythms with more than one bad server and more than one good one are not
/// excused: two that reject and then two that take do show two rounds.
package struct RejectionTrust: Sendable, Hashable {
    /// One more after each contradiction, at most ``most``, one less after each proof.
    private var doubt = 0
    /// Whether the last delivery was taken; `nil` before the first.
    private var wasTaken: Bool?

    private static let most = 3

    package init() {}

    /// How often a suspect must be rejected directly after controls that were taken.
    package func rounds(for rejection: PoisonRecordSearch.Rejection) -> Int {
        let least =
            switch rejection {
            case .refused, .tooLarge, .failed: 2
            case .unanswered, .paused: 3  // no verdict about a record
            }
        return least + doubt
    }

    /// A delivery was taken or rejected; returns whether the one before was taken.
    @discardableResult
    package mutating func note(isTaken: Bool) -> Bool {
        defer { wasTaken = isTaken }
        return wasTaken == true
    }

    /// The receiver took what it had rejected.
    package mutating func contradicted() { doubt = min(doubt + 1, Self.most) }

    /// A poison record was proven.
    package mutating func proven() { doubt = max(0, doubt - 1) }
}
