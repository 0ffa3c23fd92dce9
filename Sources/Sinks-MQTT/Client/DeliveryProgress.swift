package import TrackEngine

/// How far a delivery has come: which messages were sent, and how many from the first on are settled.
///
/// Messages go out in order. A message that the broker will never take is dead, and the rest goes on. One that it
/// denies is dead if it takes a later one. Any other failure ends the delivery there: nothing more is sent, what was
/// sent before it is waited for, and nothing after it counts.
package struct DeliveryProgress: Sendable {
    /// What became of a message.
    package enum Outcome: Sendable, Hashable {
        /// The broker has it.
        case taken
        /// It carries no record, and whether the broker has it says nothing about those that do.
        case immaterial
        /// The broker will never take it, for this reason.
        case dead(String)
        /// The broker turns it away, and perhaps this client with it. What was sent after it decides: dead when the
        /// broker takes any of that, else failed for this reason.
        case denied(DeliveryError)
        /// It is not there, and neither it nor what follows may count.
        case failed(DeliveryError)
    }

    /// How a delivery ended.
    package struct Result: Sendable, Hashable {
        /// Messages, from the first on, that are taken or dead.
        package var settled: Int
        /// Dead messages among them, in order, and why.
        package var dead: [Dead]
        /// Why it went no further; `nil` when everything is settled.
        package var failure: DeliveryError?

        /// An end.
        package init(settled: Int, dead: [Dead], failure: DeliveryError?) {
            self.settled = settled
            self.dead = dead
            self.failure = failure
        }

        /// A message by its place, and why it is dead.
        package struct Dead: Sendable, Hashable {
            package let message: Int
            package let reason: String
        }
    }

    private let count: Int
    private var next = 0
    private var settled = 0
    /// Outcomes of messages after one that is still under way or denied; at most as many as may be in flight.
    private var ahead: [(message: Int, outcome: Outcome)] = []
    private var dead: [Result.Dead] = []
    private var failure: DeliveryError?

    /// A delivery of so many messages, none sent.
    package init(count: Int) {
        self.count = count
    }

    /// The message to send now; `nil` when all are sent or nothing more shall be.
    package var upcoming: Int? {
        guard next < count, failure == nil else { return nil }
        return ahead.contains { $0.outcome.isFailure } && !needsLaterOutcome ? nil : next
    }

    /// Whether a message was denied and none was sent after it whose outcome would decide: one more is sent.
    private var needsLaterOutcome: Bool { next == settled + 1 && ahead.count == 1 }

    /// Whether messages were sent of which nothing is known.
    package var isUnderWay: Bool { next - ahead.count > settled }

    /// Whether everything that was sent is settled.
    package var isQuiet: Bool { next == settled }

    /// The upcoming message is on its way.
    package mutating func sent() {
        next += 1
    }

    /// Something became of a message that was sent.
    package mutating func concluded(_ message: Int, _ outcome: Outcome) {
        ahead.append((message, outcome))
        while failure == nil, let index = ahead.firstIndex(where: { $0.message == settled }) {
            guard let outcome = decided(ahead[index].outcome) else { return }
            ahead.remove(at: index)
            settle(outcome)
        }
    }

    /// What became of the first message that is not settled; `nil` while a denial may still turn out to be about it
    /// alone.
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

    /// How many messages, from the first on, the broker has, none of them dead.
    package var confirmed: Int { dead.first?.message ?? settled }

    /// The end, once nothing is to be sent or waited for.
    package var result: Result? {
        guard failure != nil || settled == count else { return nil }
        return Result(settled: settled, dead: dead, failure: failure)
    }

    /// The end, here and now, because the connection is gone or nobody waits any more.
    package func interrupted(by error: DeliveryError) -> Result {
        Result(settled: settled, dead: dead, failure: failure ?? (settled == count ? nil : error))
    }
}

extension DeliveryProgress.Outcome {
    /// Whether nothing after the message may count, as far as is known.
    var isFailure: Bool {
        switch self {
        case .taken, .immaterial, .dead: false
        case .denied, .failed: true
        }
    }
}
