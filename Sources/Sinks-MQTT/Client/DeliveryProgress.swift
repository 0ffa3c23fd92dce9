package import TrackEngine

/// The progress of a delivery: which messages were sent, and how many from the first on are settled.
///
/// Messages are sent in order. A message that the broker will never accept is dead, and the rest continues. A denied
/// message is dead if the broker accepts a later one. Any other failure ends the delivery at that message: no more
/// are sent, earlier messages in flight are waited for, and later ones do not count.
package struct DeliveryProgress: Sendable {
    /// The outcome of a message.
    package enum Outcome: Sendable, Hashable {
        /// The broker has acknowledged the message.
        case taken
        /// The message carries no record, and its outcome is no evidence about those that do.
        case immaterial
        /// The broker will never accept the message, for this reason.
        case dead(String)
        /// The broker rejects the message, and perhaps this client. The messages sent after it decide: it is dead if
        /// the broker accepts any of them, otherwise it has failed for this reason.
        case denied(DeliveryError)
        /// The message did not arrive, and neither it nor those after it may count.
        case failed(DeliveryError)
    }

    /// The result of a delivery.
    package struct Result: Sendable, Hashable {
        /// The number of messages, from the first on, that are acknowledged or dead.
        package var settled: Int
        /// The dead messages among them, in order, with reasons.
        package var dead: [Dead]
        /// The reason why the delivery stopped; `nil` if all messages are settled.
        package var failure: DeliveryError?

        /// A result.
        package init(settled: Int, dead: [Dead], failure: DeliveryError?) {
            self.settled = settled
            self.dead = dead
            self.failure = failure
        }

        /// A dead message, by its index, and the reason.
        package struct Dead: Sendable, Hashable {
            package let message: Int
            package let reason: String
        }
    }

    private let count: Int
    private var next = 0
    private var settled = 0
    /// Outcomes of messages after one that is still in flight or denied; at most as many as may be in flight.
    private var ahead: [(message: Int, outcome: Outcome)] = []
    private var dead: [Result.Dead] = []
    private var failure: DeliveryError?

    /// A delivery of `count` messages, none sent.
    package init(count: Int) {
        self.count = count
    }

    /// The message to send now; `nil` when all are sent or no more may be sent.
    package var upcoming: Int? {
        guard next < count, failure == nil else { return nil }
        return ahead.contains { $0.outcome.isFailure } && !needsLaterOutcome ? nil : next
    }

    /// Whether a message was denied and no later one was sent that could decide about it: then one more is sent.
    private var needsLaterOutcome: Bool { next == settled + 1 && ahead.count == 1 }

    /// Whether messages without a known outcome were sent.
    package var isUnderWay: Bool { next - ahead.count > settled }

    /// Whether all sent messages are settled.
    var isQuiet: Bool { next == settled }

    /// Notes that the upcoming message was sent.
    package mutating func sent() {
        next += 1
    }

    /// Notes the outcome of a sent message.
    package mutating func concluded(_ message: Int, _ outcome: Outcome) {
        ahead.append((message, outcome))
        while failure == nil, let index = ahead.firstIndex(where: { $0.message == settled }) {
            guard let outcome = decided(ahead[index].outcome) else { return }
            ahead.remove(at: index)
            settle(outcome)
        }
    }

    /// The outcome of the first unsettled message; `nil` while later messages may still decide about a denial.
    private func decided(_ outcome: Outcome) -> Outcome? {
        guard case .denied(let error) = outcome else { return outcome }
        if ahead.contains(where: { $0.outcome == .taken }) { return .dead(error.reason) }
        return isUnderWay || upcoming != nil ? nil : .failed(error)
    }

    private mutating func settle(_ outcome: Outcome) {
        switch outcome {
        case .taken, .immaterial: settled += 1
        case .dead(let reason):
            dead.append(Result.Dead(message: settled, reason: reason))
            settled += 1
        case .denied(let error), .failed(let error): failure = error
        }
    }

    /// The number of messages, from the first on, that the broker has acknowledged, none of them dead.
    package var confirmed: Int { dead.first?.message ?? settled }

    /// The result, once no message is to be sent or waited for.
    package var result: Result? {
        guard failure != nil || settled == count else { return nil }
        return Result(settled: settled, dead: dead, failure: failure)
    }

    /// The result of a delivery that ends now, because the connection is gone or the caller has given up.
    package func interrupted(by error: DeliveryError) -> Result {
        Result(settled: settled, dead: dead, failure: failure ?? (settled == count ? nil : error))
    }
}

extension DeliveryProgress.Outcome {
    /// Whether no later message may count, as far as is known.
    var isFailure: Bool {
        switch self {
        case .taken, .immaterial, .dead: false
        case .denied, .failed: true
        }
    }
}
