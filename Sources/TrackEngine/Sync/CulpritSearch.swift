/// Finds the record that makes a receiver refuse a batch, by halving; and remembers how much a receiver takes.
///
/// Always the oldest records are tried first, so order is kept. A receiver that says "refused" is believed when a
/// record stands alone. One that only fails (status 500) is believed when it takes the next record by itself (the
/// probe) while it fails on the suspect: a receiver that fails on both is down. Finding one culprit among n costs at
/// most log2(n) + 1 deliveries, and one more for the probe.
package struct CulpritSearch: Sendable, Hashable {
    /// What is known.
    private enum Phase: Hashable {
        /// No suspicion.
        case none
        /// The culprit is among the first `suspects` records. To `none` when it is found or they have all been taken,
        /// to `probing` when it stands alone and only failed.
        case narrowing(suspects: Int, isExplicit: Bool)
        /// The first record failed alone: the second is tried. To `none` either way.
        case probing
    }

    /// Which records of the batch to deliver next.
    package enum Portion: Hashable {
        /// The first so many.
        case first(Int)
        /// Only the second.
        case second
    }

    /// What to do after a delivery.
    package enum Verdict: Hashable {
        /// Go on at once with the next portion.
        case goOn
        /// Wait as after any failure.
        case backOff
        /// The first record is the culprit.
        case firstIsDead
        /// The first record is the culprit, and the second has been taken.
        case firstIsDeadSecondTaken
    }

    private var phase = Phase.none
    /// The most records that the receiver takes at once, as it has shown.
    package private(set) var limit = Int.max
    /// How often in a row the same batch has failed in a way that a record may have caused.
    private var suspiciousFailures = 0
    /// At how many such failures the next search begins: 3, then twice as many, so that an outage is not searched
    /// again and again.
    private var nextSearch = firstSearch

    private static let firstSearch = 3

    package init() {}

    /// What to deliver of a batch with this many records.
    package func portion(of count: Int) -> Portion {
        switch phase {
        case .none: .first(min(count, limit))
        case .narrowing(let suspects, _): .first(max(1, min(suspects / 2, min(count, limit))))
        case .probing: .second
        }
    }

    /// The receiver took the portion.
    package mutating func taken(_ portion: Portion) -> Verdict {
        (suspiciousFailures, nextSearch) = (0, Self.firstSearch)
        switch phase {
        case .none: return .goOn
        case .narrowing(let suspects, let isExplicit):
            guard case .first(let count) = portion, count < suspects else {
                phase = .none
                return .goOn
            }
            phase = .narrowing(suspects: suspects - count, isExplicit: isExplicit)
            return .goOn
        case .probing:
            phase = .none
            return .firstIsDeadSecondTaken
        }
    }

    /// The receiver refused the content of the portion.
    package mutating func refused(_ portion: Portion) -> Verdict {
        switch portion {
        case .second:  // refused too, but explicitly: the search begins again where it stood
            phase = .none
            return .goOn
        case .first(1):
            phase = .none
            return .firstIsDead
        case .first(let count):
            phase = .narrowing(suspects: count, isExplicit: true)
            return .goOn
        }
    }

    /// The receiver found the portion too large.
    package mutating func tooLarge(_ portion: Portion) -> Verdict {
        guard case .first(let count) = portion, count > 1 else { return refused(portion) }
        limit = count / 2
        return .goOn
    }

    /// The receiver failed on the portion, perhaps because of a record; `hasSecond` tells whether there is one to probe.
    package mutating func failedSuspiciously(_ portion: Portion, hasSecond: Bool) -> Verdict {
        switch phase {
        case .none:
            suspiciousFailures += 1
            guard case .first(let count) = portion, suspiciousFailures >= nextSearch else { return .backOff }
            if count == 1 {
                guard hasSecond else { return .backOff }
                phase = .probing
            } else {
                phase = .narrowing(suspects: count, isExplicit: false)
            }
            return .goOn
        case .narrowing:
            guard case .first(let count) = portion, count == 1 else { return narrow(to: portion) }
            guard hasSecond else { return giveUp() }
            phase = .probing
            return .goOn
        case .probing: return giveUp()
        }
    }

    private mutating func narrow(to portion: Portion) -> Verdict {
        if case .first(let count) = portion { phase = .narrowing(suspects: count, isExplicit: false) }
        return .goOn
    }

    /// The receiver is down, whatever record it is offered.
    private mutating func giveUp() -> Verdict {
        phase = .none
        suspiciousFailures = max(suspiciousFailures, nextSearch)
        nextSearch = min(nextSearch * 2, 1 << 20)
        return .backOff
    }

    /// The receiver could not be reached: nothing is learnt about records, and the search stands still.
    package mutating func unreachable() {
        if phase == .probing { phase = .none }
    }
}
