/// The reliability of a receiver's rejections of single records.
///
/// Some receivers reject at random, or one of two servers behind an address rejects every record. Such a receiver
/// accepts a moment later what it has rejected, so each contradiction raises the number of proofs that a dead letter
/// needs. If a receiver rejects a share q of its requests at random, an accused good record becomes a dead letter with
/// these probabilities, by the number of ``rounds(for:)``:
///
/// | q | 2 rounds | 3 | 4 |
/// |---|---|---|---|
/// | 0.1 | 0.008 | 0.0007 | 0.00007 |
/// | 0.5 | 0.06 | 0.016 | 0.004 |
///
/// Two rounds are: rejected, accepted, accepted, rejected, accepted, rejected. No receiver that rejects one delivery in
/// n shows this sequence, nor one that accepts one in n. Servers that take turns behind one address, with only one bad
/// or only one good server, therefore never make a good record a dead letter. A sequence of more than one bad server
/// and more than one good one can: two rejections followed by two acceptances do show two rounds.
package struct RejectionTrust: Sendable, Hashable {
    /// One more after each contradiction, at most ``most``; one less after each proof.
    private var doubt = 0
    /// Whether the last delivery was accepted; `nil` before the first.
    private var wasTaken: Bool?

    private static let most = 3

    package init() {}

    /// Returns the number of rejections of a suspect, directly after accepted controls, that prove it.
    package func rounds(for rejection: PoisonRecordSearch.Rejection) -> Int {
        let least =
            switch rejection {
            case .refused, .tooLarge, .failed: 2
            case .unanswered, .paused: 3  // no verdict about a record
            }
        return least + doubt
    }

    /// Notes whether a delivery was accepted. Returns whether the previous one was.
    @discardableResult
    package mutating func note(isTaken: Bool) -> Bool {
        defer { wasTaken = isTaken }
        return wasTaken == true
    }

    /// Notes that the receiver accepted a record that it had rejected.
    mutating func contradicted() { doubt = min(doubt + 1, Self.most) }

    /// Notes that a poison record was proven.
    package mutating func proven() { doubt = max(0, doubt - 1) }
}
