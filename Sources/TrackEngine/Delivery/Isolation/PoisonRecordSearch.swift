/// Finds the record that makes a receiver reject a batch, by halving, and remembers the number of records that a
/// receiver accepts.
///
/// A record is poison only when it was rejected individually, and then at least twice again directly after the receiver
/// accepted other records (controls). A receiver that rejects every delivery, at random or in turn, gives no evidence
/// about a record; ``RejectionTrust`` defines how often the proof is repeated. The oldest records are tried first, so
/// order is kept.
///
/// Finding one poison record among n costs at most ⌈log2(n)⌉ + 2 deliveries until it was rejected individually, counted
/// from the one that begins the search, and five for the proof (seven where the receiver gives no verdict):
///
/// | n | 1 | 2 | 4 | 16 | 250 |
/// |---|---|---|---|---|---|
/// | deliveries at most, refused | 7 | 8 | 9 | 11 | 15 |
///
/// A receiver that rejects every delivery costs ⌊log2(n)⌋ + 1 + ``maximumControls`` deliveries once, and 1 +
/// ``maximumControls`` in each later search. A receiver that gives no verdict at all costs only the retries: after five
/// of them, one delivers a control in place of the batch, and the search begins only if the control is accepted.
package struct PoisonRecordSearch: Sendable, Hashable {
    /// The ways in which a receiver rejects a delivery, the most specific first.
    package enum Rejection: Int, Sendable, Hashable, Comparable {
        /// The receiver does not accept the content. A search begins at once.
        case refused
        /// The delivery is too large for the receiver. A search begins at once.
        case tooLarge
        /// The receiver fails, perhaps because of a record (status 500). A search begins after some consecutive
        /// failures.
        case failed
        /// The receiver gives no answer of its own (a closed connection, a gateway's status). After some consecutive
        /// failures a control is tried, and a search begins if that is accepted.
        case unanswered
        /// The receiver turns this client away. As ``unanswered``, but in a search with another cause it only leads to
        /// a wait.
        case paused

        package static func < (one: Rejection, other: Rejection) -> Bool { one.rawValue < other.rawValue }
    }

    /// The state of the search.
    private enum Phase: Hashable {
        /// No suspicion. To `narrowing` or `control` when a delivery is rejected, to `checking` when many were
        /// rejected.
        case none
        /// The given number of records at the front was rejected many times without a verdict. A control takes their
        /// place; to `retrying` when it is accepted, else to `none`.
        case checking(Int)
        /// The receiver has accepted a control; it gets the given number of records once more. To `none` when they are
        /// accepted, else to `narrowing` or `control`.
        case retrying(Int)
        /// The poison record is among the first `suspects` records, at least two. To `alone` or `control` when one is
        /// left, to `none` when all have been accepted.
        case narrowing(suspects: Int)
        /// The first record is the suspect and is delivered alone. To `none` when it is accepted, else to `control`.
        case alone
        /// The accused records were rejected individually and a control is delivered. To `confirming` when it is
        /// accepted, to `none` or `total` when too many were rejected.
        case control(Suspect)
        /// A control was accepted, and the accused records are delivered again. To `none` when they are accepted or
        /// proven to be poison, to `control` when more proof is needed.
        case confirming(Suspect)
        /// The receiver rejected a record and all controls. The first record is tried alone; to `none` when it is
        /// accepted, else to `control`.
        case total
    }

    private var phase = Phase.none
    /// The rejection that began the search.
    private var cause = Rejection.refused
    /// The maximum number of records that the receiver has proved to accept at once.
    package private(set) var limit = Int.max
    private var pace = BatchPace()
    /// The smallest portion of this search that was too large.
    private var oversize: Int?
    private var refusals = FailureCount(first: 1)
    private var failures = FailureCount(first: 3)
    private var silences = FailureCount(first: 5)
    /// The number of controls rejected in the place of a portion, to try a different one each time.
    private var checks = 0
    package private(set) var trust = RejectionTrust()

    /// The number of consecutive rejected controls after which the receiver is taken to reject every record.
    package static let maximumControls = 3

    package init() {}

    /// Returns the next delivery of a batch with this many records.
    package func portion(of count: Int) -> RecordIsolation.Portion {
        switch phase {
        case .none: .first(min(count, limit, pace.size))
        case .checking(let portion): .control(accused: portion, tried: checks % Self.maximumControls)
        case .retrying(let portion): .first(max(1, min(portion, count, limit, pace.size)))
        case .narrowing(let suspects): .first(max(1, min(suspects / 2, count, limit, pace.size)))
        case .alone, .total: .first(1)
        case .control(let suspect): .control(accused: suspect.accused, tried: suspect.controlsTried)
        case .confirming(let suspect): .first(min(count, suspect.accused))
        }
    }

    /// Whether no record is under suspicion: only then may a delivery carry more than the portion's records.
    package var isCalm: Bool { phase == .none }

    /// Whether records are under suspicion.
    package var isSuspecting: Bool {
        switch phase {
        case .none, .checking, .total: false
        case .retrying, .narrowing, .alone, .control, .confirming: true
        }
    }

    /// Whether a control is needed without knowledge about the portion, so that one of its own records is suitable.
    var isChecking: Bool {
        if case .checking = phase { true } else { false }
    }

    // MARK: Outcomes

    /// Notes that the receiver accepted the first `count` records, or the control.
    package mutating func taken(_ count: Int) -> RecordIsolation.Decision {
        trust.note(isTaken: true)
        switch phase {
        case .none: pace.taken(count)
        case .checking(let portion):
            phase = .retrying(portion)
            return .goOn
        case .retrying(let portion):
            pace.taken(count)
            phase = count < portion ? .retrying(portion - count) : .none
        case .narrowing(let suspects):
            pace.taken(count)
            let left = suspects - count
            if left > 1 {
                phase = .narrowing(suspects: left)
            } else if left == 1 {
                phase = .alone
            } else {
                if cause == .refused, oversize == nil { trust.contradicted() }
                clearSuspicion()
            }
        case .alone, .total:
            pace.taken(count)
            clearSuspicion()
        case .control(var suspect):
            suspect.controlWasTaken()
            let isEnough = suspect.controlsInARow >= suspect.controlsWanted
            phase = isEnough ? .confirming(suspect) : .control(suspect)
            return .goOn
        case .confirming(let suspect):
            pace.taken(count)
            if !suspect.isAfterTotal { trust.contradicted() }
            clearSuspicion()
        }
        endCounts()
        return .goOn
    }

    /// Resets the counts: records were accepted in their turn, and earlier failures are not consecutive with later
    /// ones.
    private mutating func endCounts() {
        refusals.reset()
        failures.reset()
        silences.reset()
    }

    /// Notes that the receiver rejected the portion as a whole.
    package mutating func rejected(_ portion: RecordIsolation.Portion, _ rejection: Rejection)
        -> RecordIsolation.Decision
    {
        if rejection == .paused, cause != .paused, isSuspecting {
            unreachable()
            return .backOff
        }
        let followsTaken = trust.note(isTaken: false)
        guard case .first(let count) = portion else { return controlRejected() }
        if rejection == .tooLarge, count > 1 { oversize = min(oversize ?? count, count) }
        switch phase {
        case .none:
            if let wait = wait(beforeSearchingIn: count, rejection, followsTaken) { return wait }
            (cause, phase) = (rejection, .narrowing(suspects: count))
        case .confirming(let suspect) where suspect.accused == count: return confirm(suspect, rejection)
        case .retrying, .narrowing, .alone, .total, .checking, .control, .confirming: break
        }
        return narrow(to: count, rejection)
    }

    /// Notes that the receiver refused each of the first `count` records individually and accepted none with them.
    package mutating func refusedEach(_ count: Int, of portion: RecordIsolation.Portion) -> RecordIsolation.Decision {
        trust.note(isTaken: false)
        guard case .first = portion else { return controlRejected() }
        switch phase {
        case .none: cause = .refused
        case .confirming(let suspect) where suspect.accused == count: return confirm(suspect, .refused)
        case .checking, .retrying, .narrowing, .alone, .control, .confirming, .total: break
        }
        return accuse(count, .refused)
    }

    /// Notes that the receiver accepted records of the portion, but not the first one.
    mutating func tookOthers() {
        trust.note(isTaken: true)
        endCounts()
        switch phase {
        case .none, .checking, .retrying, .narrowing, .alone, .control, .total: break
        case .confirming: clearSuspicion()
        }
    }

    /// Notes that a receipt showed the receiver accepting a record that it had refused individually.
    mutating func contradicted() { trust.contradicted() }

    /// Notes that there is no record to serve as a control.
    package mutating func noControl() -> RecordIsolation.Decision {
        guard case .control(let suspect) = phase else {
            phase = .none
            return .goOn  // to the only record that waits
        }
        if suspect.accused == 1, suspect.rejectedInARow == 0, suspect.rejection < .failed {
            // The only record that waits: the next one becomes the control.
            phase = .alone
            return .backOff
        }
        return giveUp(suspect, isSearchedAgain: suspect.rejectedInARow == 0)
    }

    /// Notes that the receiver could not be reached: this proves no fault of a record, and the last accepted control no
    /// longer counts.
    package mutating func unreachable() {
        switch phase {
        case .none, .checking, .retrying, .narrowing, .alone, .total: break
        case .control(var suspect), .confirming(var suspect):
            suspect.waitForControl()
            phase = .control(suspect)
        }
    }

    /// Notes that the receiver did not answer in time: the next deliveries have fewer records, and a single record may
    /// be the reason.
    package mutating func wasTooSlow(_ portion: RecordIsolation.Portion) -> RecordIsolation.Decision {
        switch portion {
        case .first(1): return rejected(portion, .unanswered)
        case .first(let count): pace.wasTooMuch(count)
        case .control: return rejected(portion, .unanswered)
        }
        unreachable()
        return .backOff
    }

    /// Forgets the suspicion because its batch was removed.
    package mutating func forget() {
        phase = .none
        oversize = nil
    }
}

// MARK: Steps

extension PoisonRecordSearch {
    /// Returns the action in place of a search; `nil` when the search begins.
    private mutating func wait(
        beforeSearchingIn count: Int, _ rejection: Rejection, _ followsTaken: Bool
    ) -> RecordIsolation.Decision? {
        let isExpected = pace.isWatchful && followsTaken
        switch rejection {
        case .refused, .tooLarge: return refusals.add() ? nil : .backOff
        case .failed: return isExpected || failures.add() ? nil : .backOff
        case .unanswered where isExpected: return nil
        case .unanswered, .paused:
            if silences.add() { (cause, phase) = (rejection, .checking(count)) }
            return .backOff
        }
    }

    private mutating func narrow(to count: Int, _ rejection: Rejection) -> RecordIsolation.Decision {
        guard count > 1 else { return accuse(1, rejection) }
        phase = .narrowing(suspects: count)
        return .goOn
    }

    private mutating func accuse(_ count: Int, _ rejection: Rejection) -> RecordIsolation.Decision {
        judge(Suspect(count, rejection, isAfterTotal: phase == .total))
    }

    private mutating func confirm(_ suspect: Suspect, _ rejection: Rejection) -> RecordIsolation.Decision {
        var suspect = suspect
        suspect.wasConfirmed(by: rejection)
        return judge(suspect)
    }

    private mutating func judge(_ suspect: Suspect) -> RecordIsolation.Decision {
        guard suspect.rounds >= trust.rounds(for: suspect.rejection) else {
            phase = .control(suspect)
            return .goOn
        }
        phase = .none
        oversize = nil  // the size of a batch that one record spoilt proves no limit
        trust.proven()
        pace.foundPoisonRecord()
        return .dead(suspect.accused)
    }

    private mutating func controlRejected() -> RecordIsolation.Decision {
        switch phase {
        case .checking:
            checks += 1
            _ = silences.add()
            silences.foundNothing()
            phase = .none
            return .backOff
        case .control(var suspect):
            suspect.controlWasRejected()
            phase = .control(suspect)
            return suspect.isHopeless ? giveUp(suspect, isSearchedAgain: false) : .goOn
        case .none, .retrying, .narrowing, .alone, .confirming, .total: return .goOn
        }
    }

    private mutating func clearSuspicion() {
        phase = .none
        if let oversize { limit = max(1, min(limit, oversize / 2)) }
        oversize = nil
    }

    /// Gives up: the receiver is down, rejects every record, or rejects at random.
    private mutating func giveUp(_ suspect: Suspect, isSearchedAgain: Bool) -> RecordIsolation.Decision {
        oversize = nil
        pace.stopWatching()
        phase = .none
        switch suspect.rejection {
        case .refused, .tooLarge:
            if suspect.hasTaken {
                refusals.foundNothing()
            } else {
                phase = .total
                return .pause
            }
        case .failed: if !isSearchedAgain { failures.foundNothing() }
        case .unanswered, .paused: if !isSearchedAgain { silences.foundNothing() }
        }
        return .backOff
    }
}
