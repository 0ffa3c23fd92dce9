/// Finds the record that makes a receiver reject a batch, by halving; and remembers how much a receiver takes.
///
/// A record is poison only when it was rejected by itself, and then again directly after the receiver took other
/// records (controls), twice at least. A receiver that rejects everything, at random or in turn tells nothing about a
/// record; ``RejectionTrust`` says how often the proof is repeated. The oldest records are tried first, so order is kept.
///
/// Finding one poison record among n costs at most ⌈log2(n)⌉ + 2 deliveries, counted from the one that begins the
/// search, until it was rejected by itself, and five for the proof (seven where the receiver gives no verdict):
///
/// | n | 1 | 2 | 4 | 16 | 250 |
/// |---|---|---|---|---|---|
/// | deliveries at most, refused | 7 | 8 | 9 | 11 | 15 |
///
/// A receiver that rejects everything costs ⌊log2(n)⌋ + 1 + ``maximumControls`` once, and 1 + ``maximumControls`` at
/// each later look. A receiver that gives no verdict at all costs nothing but the retries: after five of them one
/// delivers a control in place of the batch, and only when that is taken the search begins.
package struct PoisonRecordSearch: Sendable, Hashable {
    /// How a receiver rejects a delivery, the clearest word first.
    package enum Rejection: Int, Sendable, Hashable, Comparable {
        /// It says that it does not take the content. A search begins at once.
        case refused
        /// It says that the delivery is too large. A search begins at once.
        case tooLarge
        /// It fails, perhaps because of a record (status 500). A search begins after some failures in a row.
        case failed
        /// It gives no answer of its own (a closed connection, a gateway's status). After some failures in a row a
        /// control is tried, and a search begins if that is taken.
        case unanswered
        /// It turns this client away. As ``unanswered``, but nothing follows at once except what the pause waited for.
        case paused

        package static func < (one: Rejection, other: Rejection) -> Bool { one.rawValue < other.rawValue }
    }

    /// What is known.
    private enum Phase: Hashable {
        /// No suspicion. To `narrowing` or `control` when a delivery is rejected, to `checking` when many were.
        case none
        /// The first so many records were rejected many times without a verdict. A control comes in their place; to
        /// `retrying` when it is taken, else to `none`.
        case checking(Int)
        /// The receiver has taken a control; it gets the first so many records once more. To `none` when they are
        /// taken, else to `narrowing` or `control`.
        case retrying(Int)
        /// The poison record is among the first `suspects` records, at least two. To `alone` or `control` when one is
        /// left, to `none` when all have been taken.
        case narrowing(suspects: Int)
        /// The first record is the suspect and is delivered by itself. To `none` when it is taken, else to `control`.
        case alone
        /// The accused were rejected by themselves and a control is delivered. To `confirming` when it is taken, to
        /// `none` or `total` when too many were rejected.
        case control(Accusation)
        /// A control was taken, and the accused are delivered again. To `none` when they are taken or proven to be
        /// poison, to `control` when more proof is needed.
        case confirming(Accusation)
        /// The receiver rejected a record and all controls. The first record is tried by itself; to `none` when it is
        /// taken, else to `control`.
        case total
    }

    /// What to deliver next.
    package enum Portion: Sendable, Hashable {
        /// The first so many records of the batch.
        case first(Int)
        /// One record from elsewhere in the queue, after the first `accused` of the batch; `tried` others were
        /// rejected. With one less than ``maximumControls`` it is a record that is known to be good, if there is one.
        case control(accused: Int, tried: Int)
    }

    /// What to do after a delivery.
    package enum Verdict: Sendable, Hashable {
        /// Go on at once with the next portion.
        case goOn
        /// Wait as after any failure.
        case backOff
        /// The receiver takes nothing: keep everything and look again now and then.
        case pause
        /// The first so many records of the batch are poison.
        case dead(Int)
    }

    private var phase = Phase.none
    /// What began the search.
    private var cause = Rejection.refused
    /// The most records that the receiver takes at once, as it has shown.
    package private(set) var limit = Int.max
    private var pace = PortionPace()
    /// The smallest portion of this search that was too large.
    private var oversize: Int?
    private var refusals = FailureCount(first: 1)
    private var failures = FailureCount(first: 3)
    private var silences = FailureCount(first: 5)
    /// Controls that were rejected in the place of a portion, to try another one each time.
    private var checks = 0
    package private(set) var trust = RejectionTrust()

    /// How many controls in a row are rejected before the receiver is taken to reject everything.
    package static let maximumControls = 3

    package init() {}

    /// What to deliver of a batch with this many records.
    package func portion(of count: Int) -> Portion {
        switch phase {
        case .none: .first(min(count, limit, pace.size))
        case .checking(let portion): .control(accused: portion, tried: checks % Self.maximumControls)
        case .retrying(let portion): .first(max(1, min(portion, count, limit, pace.size)))
        case .narrowing(let suspects): .first(max(1, min(suspects / 2, count, limit, pace.size)))
        case .alone, .total: .first(1)
        case .control(let accusation): .control(accused: accusation.accused, tried: accusation.controlsTried)
        case .confirming(let accusation): .first(min(count, accusation.accused))
        }
    }

    /// Whether nothing stands against any record: only then may a delivery carry more than the portion's records.
    package var isCalm: Bool { phase == .none }

    /// Whether records are under suspicion.
    package var isSuspecting: Bool {
        switch phase {
        case .none, .checking, .total: false
        case .retrying, .narrowing, .alone, .control, .confirming: true
        }
    }

    /// Whether a control is wanted because nothing is known about the portion, so that one of its own records will do.
    package var isChecking: Bool {
        if case .checking = phase { true } else { false }
    }

    // MARK: Outcomes

    /// The receiver took the first so many records, or the control.
    package mutating func taken(_ count: Int) -> Verdict {
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
        case .control(var accusation):
            accusation.controlWasTaken()
            let isEnough = accusation.controlsInARow >= accusation.controlsWanted
            phase = isEnough ? .confirming(accusation) : .control(accusation)
            return .goOn
        case .confirming(let accusation):
            pace.taken(count)
            if !accusation.isAfterTotal { trust.contradicted() }
            clearSuspicion()
        }
        endCounts()
        return .goOn
    }

    /// Records were taken in their turn: failures before that are not in a row with later ones.
    private mutating func endCounts() {
        refusals.reset()
        failures.reset()
        silences.reset()
    }

    /// The receiver rejected the portion as a whole.
    package mutating func rejected(_ portion: Portion, _ rejection: Rejection) -> Verdict {
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
        case .confirming(let accusation) where accusation.accused == count: return confirm(accusation, rejection)
        case .retrying, .narrowing, .alone, .total, .checking, .control, .confirming: break
        }
        return narrow(to: count, rejection)
    }

    /// The receiver refused each of the first so many records by itself and took none beside them.
    package mutating func refusedEach(_ count: Int, of portion: Portion) -> Verdict {
        trust.note(isTaken: false)
        guard case .first = portion else { return controlRejected() }
        switch phase {
        case .none: cause = .refused
        case .confirming(let accusation) where accusation.accused == count: return confirm(accusation, .refused)
        case .checking, .retrying, .narrowing, .alone, .control, .confirming, .total: break
        }
        return accuse(count, .refused)
    }

    /// The receiver took records of the portion, but not the first one.
    package mutating func tookOthers() {
        trust.note(isTaken: true)
        endCounts()
        switch phase {
        case .none, .checking, .retrying, .narrowing, .alone, .control, .total: break
        case .confirming: clearSuspicion()
        }
    }

    /// A receipt showed that the receiver takes what it had refused by itself.
    package mutating func contradicted() { trust.contradicted() }

    /// There is no record to serve as a control.
    package mutating func noControl() -> Verdict {
        guard case .control(let accusation) = phase else {
            phase = .none
            return .goOn  // to the only record that waits
        }
        if accusation.accused == 1, accusation.rejectedInARow == 0, accusation.rejection < .failed {
            // The only record that waits: the next one will be the control.
            phase = .alone
            return .backOff
        }
        return giveUp(accusation, isSearchedAgain: accusation.rejectedInARow == 0)
    }

    /// The receiver could not be reached: nothing is learnt about records, and what was just taken proves nothing now.
    package mutating func unreachable() {
        switch phase {
        case .none, .checking, .retrying, .narrowing, .alone, .total: break
        case .control(var accusation), .confirming(var accusation):
            accusation.waitForControl()
            phase = .control(accusation)
        }
    }

    /// The receiver did not answer in time: the next deliveries have fewer records, and a single one may be to blame.
    package mutating func wasTooSlow(_ portion: Portion) -> Verdict {
        switch portion {
        case .first(1): return rejected(portion, .unanswered)
        case .first(let count): pace.wasTooMuch(count)
        case .control: return rejected(portion, .unanswered)
        }
        unreachable()
        return .backOff
    }

    /// The batch is gone, and the suspicion with it.
    package mutating func forget() {
        phase = .none
        oversize = nil
    }
}

// MARK: Steps

extension PoisonRecordSearch {
    /// What to do instead of a search; `nil` when it begins.
    private mutating func wait(
        beforeSearchingIn count: Int, _ rejection: Rejection, _ followsTaken: Bool
    ) -> Verdict? {
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

    private mutating func narrow(to count: Int, _ rejection: Rejection) -> Verdict {
        guard count > 1 else { return accuse(1, rejection) }
        phase = .narrowing(suspects: count)
        return .goOn
    }

    private mutating func accuse(_ count: Int, _ rejection: Rejection) -> Verdict {
        judge(Accusation(count, rejection, isAfterTotal: phase == .total))
    }

    private mutating func confirm(_ accusation: Accusation, _ rejection: Rejection) -> Verdict {
        var accusation = accusation
        accusation.wasConfirmed(by: rejection)
        return judge(accusation)
    }

    private mutating func judge(_ accusation: Accusation) -> Verdict {
        guard accusation.rounds >= trust.rounds(for: accusation.rejection) else {
            phase = .control(accusation)
            return .goOn
        }
        phase = .none
        oversize = nil  // the size of a batch that one record spoilt tells nothing
        trust.proven()
        pace.foundPoisonRecord()
        return .dead(accusation.accused)
    }

    private mutating func controlRejected() -> Verdict {
        switch phase {
        case .checking:
            checks += 1
            _ = silences.add()
            silences.foundNothing()
            phase = .none
            return .backOff
        case .control(var accusation):
            accusation.controlWasRejected()
            phase = .control(accusation)
            return accusation.isHopeless ? giveUp(accusation, isSearchedAgain: false) : .goOn
        case .none, .retrying, .narrowing, .alone, .confirming, .total: return .goOn
        }
    }

    private mutating func clearSuspicion() {
        phase = .none
        if let oversize { limit = max(1, min(limit, oversize / 2)) }
        oversize = nil
    }

    /// The receiver is down, rejects whatever it is offered, or rejects at random.
    private mutating func giveUp(_ accusation: Accusation, isSearchedAgain: Bool) -> Verdict {
        oversize = nil
        pace.stopWatching()
        phase = .none
        switch accusation.rejection {
        case .refused, .tooLarge:
            if accusation.hasTaken {
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
