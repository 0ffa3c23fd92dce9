/// Finds the record that makes a receiver reject a batch, by halving; and remembers how much a receiver takes.
///
/// A record is blamed only when the receiver has taken another one since the suspicion arose: a receiver that rejects
/// everything tells nothing about a record. The oldest records are tried first, so order is kept. A record that was
/// rejected by itself while nothing else was taken needs a control: a record from elsewhere in the queue.
///
/// Finding one culprit among n costs at most ⌈log2(n)⌉ + 2 deliveries, counted from the one that begins the search:
///
/// | n | 1 | 2 | 4 | 16 | 250 |
/// |---|---|---|---|---|---|
/// | deliveries at most | 2 | 3 | 4 | 6 | 10 |
///
/// A receiver that rejects everything costs ⌊log2(n)⌋ + 1 + ``maximumControls`` once, and 1 + ``maximumControls`` at each
/// later look. After that a suspect must be rejected once more behind the control: the receiver may just have been mended.
package struct CulpritSearch: Sendable, Hashable {
    /// How a receiver rejects a delivery.
    package enum Rejection: Sendable, Hashable {
        /// It says that it does not take the content. Believed at once.
        case refused
        /// It says that the delivery is too large. Believed at once.
        case tooLarge
        /// It fails, perhaps because of a record (status 500). A search begins after some failures in a row, and only a
        /// control that is taken after the suspect's own failure proves anything: receivers come and go.
        case failed
    }

    /// What is known.
    private enum Phase: Hashable {
        /// No suspicion. To `narrowing` or `control` when a delivery is rejected.
        case none
        /// The culprit is among the first `suspects` records, at least two. To `alone` or `control` when one is left, to
        /// `none` when all have been taken or the culprit is proven.
        case narrowing(suspects: Int, hasTaken: Bool)
        /// The first record is the suspect and is delivered by itself. To `none` when it is taken or proven to be the
        /// culprit, else to `control`.
        case alone(hasTaken: Bool)
        /// The first `accused` records were rejected by themselves, and so were `tried` controls. When a control is
        /// taken, to `none`, because that proves them culprits, or to `alone`, because before this nothing was taken at
        /// all (`isAfterTotal`); to `none` or `total` when too many controls were rejected.
        case control(accused: Int, tried: Int, Rejection, isAfterTotal: Bool)
        /// The receiver rejected a record and all controls. The first record is tried by itself; to `none` when it is
        /// taken, else to `control`.
        case total
    }

    /// What to deliver next.
    package enum Portion: Sendable, Hashable {
        /// The first so many records of the batch.
        case first(Int)
        /// One record from elsewhere in the queue, behind the first `accused` of the batch; `tried` others were rejected.
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
        /// The first so many records of the batch are culprits.
        case dead(Int)
    }

    private var phase = Phase.none
    /// The most records that the receiver takes at once, as it has shown.
    package private(set) var limit = Int.max
    /// How many records the receiver answers in time, as far as it has shown; success doubles it.
    private var pace = Int.max
    /// The smallest portion of this search that was too large.
    private var oversize: Int?
    /// How often in a row the same batch has failed in a way that a record may have caused.
    private var suspiciousFailures = 0
    /// At how many such failures the next search begins: 3, then twice as many, so that an outage is not searched
    /// again and again.
    private var nextSearch = firstSearch

    private static let firstSearch = 3
    /// From here on a pace is none.
    private static let largestPace = 1 << 20
    /// How many controls are tried before the receiver is taken to reject everything.
    package static let maximumControls = 3

    package init() {}

    /// What to deliver of a batch with this many records.
    package func portion(of count: Int) -> Portion {
        switch phase {
        case .none: .first(min(count, limit, pace))
        case .narrowing(let suspects, _): .first(max(1, min(suspects / 2, count, limit, pace)))
        case .alone, .total: .first(1)
        case .control(let accused, let tried, _, _): .control(accused: accused, tried: tried)
        }
    }

    /// Whether nothing stands against any record: only then may a delivery carry more than the portion's records.
    package var isCalm: Bool { phase == .none }

    /// Whether records are under suspicion.
    package var isSuspecting: Bool {
        switch phase {
        case .none, .total: false
        case .narrowing, .alone, .control: true
        }
    }

    // MARK: Outcomes

    /// The receiver took the first so many records, or the control.
    package mutating func taken(_ count: Int) -> Verdict {
        (suspiciousFailures, nextSearch) = (0, Self.firstSearch)
        if count >= pace { pace = pace > Self.largestPace / 2 ? .max : pace * 2 }
        switch phase {
        case .none: return .goOn
        case .narrowing(let suspects, _):
            let left = suspects - count
            if left > 1 {
                phase = .narrowing(suspects: left, hasTaken: true)
            } else if left == 1 {
                phase = .alone(hasTaken: true)
            } else {
                nobodyIsToBlame()
            }
            return .goOn
        case .alone, .total:
            nobodyIsToBlame()
            return .goOn
        case .control(_, _, _, isAfterTotal: true):
            phase = .alone(hasTaken: true)
            return .goOn
        case .control(let accused, _, _, isAfterTotal: false): return condemn(accused)
        }
    }

    /// The receiver rejected the portion as a whole.
    package mutating func rejected(_ portion: Portion, _ rejection: Rejection) -> Verdict {
        switch portion {
        case .control: return controlRejected()
        case .first(let count):
            if rejection == .tooLarge, count > 1 { oversize = min(oversize ?? count, count) }
            switch phase {
            case .none:
                if rejection == .failed {
                    suspiciousFailures += 1
                    guard suspiciousFailures >= nextSearch else { return .backOff }
                }
                return narrow(to: count, hasTaken: false, rejection)
            case .narrowing(_, let hasTaken), .alone(let hasTaken):
                return narrow(to: count, hasTaken: hasTaken, rejection)
            case .total, .control: return narrow(to: count, hasTaken: false, rejection)
            }
        }
    }

    /// The receiver refused each of the first so many records by itself and took none beside them.
    package mutating func refusedEach(_ count: Int, of portion: Portion) -> Verdict {
        switch portion {
        case .control: return controlRejected()
        case .first:
            switch phase {
            case .narrowing(_, let hasTaken), .alone(let hasTaken): return accuse(count, hasTaken: hasTaken, .refused)
            case .none, .total, .control: return accuse(count, hasTaken: false, .refused)
            }
        }
    }

    /// There is no record to serve as a control.
    package mutating func noControl() -> Verdict {
        guard case .control(let accused, let tried, let rejection, _) = phase else { return .backOff }
        if accused == 1, tried == 0, rejection != .failed {
            // The only record that waits: the next one will be the control.
            phase = .alone(hasTaken: false)
            return .backOff
        }
        return giveUp(rejection, isSearchedAgain: tried == 0)
    }

    /// The receiver could not be reached: nothing is learnt about records, and what it took before proves nothing now.
    package mutating func unreachable() {
        switch phase {
        case .none, .total: break
        case .narrowing(let suspects, _): phase = .narrowing(suspects: suspects, hasTaken: false)
        case .alone, .control: phase = .alone(hasTaken: false)
        }
    }

    /// The receiver did not answer in time: the next deliveries have fewer records. No record is to blame.
    package mutating func wasTooSlow(_ portion: Portion) {
        if case .first(let count) = portion { pace = max(1, count / 2) }
        unreachable()
    }

    /// The batch is gone, and the suspicion with it.
    package mutating func forget() {
        phase = .none
        oversize = nil
    }

    // MARK: Steps

    private mutating func narrow(to count: Int, hasTaken: Bool, _ rejection: Rejection) -> Verdict {
        guard count > 1 else { return accuse(1, hasTaken: hasTaken, rejection) }
        phase = .narrowing(suspects: count, hasTaken: hasTaken)
        return .goOn
    }

    private mutating func accuse(_ count: Int, hasTaken: Bool, _ rejection: Rejection) -> Verdict {
        if hasTaken, rejection != .failed { return condemn(count) }
        phase = .control(accused: count, tried: 0, rejection, isAfterTotal: phase == .total)
        return .goOn
    }

    private mutating func controlRejected() -> Verdict {
        guard case .control(let accused, let tried, let rejection, let isAfterTotal) = phase else { return .goOn }
        guard tried + 1 < Self.maximumControls else { return giveUp(rejection, isSearchedAgain: false) }
        phase = .control(accused: accused, tried: tried + 1, rejection, isAfterTotal: isAfterTotal)
        return .goOn
    }

    private mutating func condemn(_ count: Int) -> Verdict {
        phase = .none
        oversize = nil  // the size of what a culprit spoilt tells nothing
        return .dead(count)
    }

    private mutating func nobodyIsToBlame() {
        phase = .none
        if let oversize { limit = max(1, min(limit, oversize / 2)) }
        oversize = nil
    }

    /// The receiver is down or rejects whatever it is offered.
    private mutating func giveUp(_ rejection: Rejection, isSearchedAgain: Bool) -> Verdict {
        oversize = nil
        switch rejection {
        case .refused, .tooLarge:
            phase = .total
            return .pause
        case .failed:
            phase = .none
            if !isSearchedAgain {
                suspiciousFailures = max(suspiciousFailures, nextSearch)
                nextSearch = min(nextSearch * 2, 1 << 20)
            }
            return .backOff
        }
    }
}
