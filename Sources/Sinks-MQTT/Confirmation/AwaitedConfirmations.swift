package import TrackEngine

/// Which messages of a delivery are settled where a consumer has to confirm each record: those that the broker has
/// taken and the consumer has confirmed, in whichever order.
///
/// It is kept until the next delivery begins, so that a confirmation that comes late counts for the repetition. It
/// holds the ids of one batch and nothing else; other ids change nothing.
package struct AwaitedConfirmations: Sendable {
    /// A message with its place, and what became of it.
    package typealias Concluded = (message: Int, outcome: DeliveryProgress.Outcome)

    /// The message that carries each record that is not confirmed.
    private var messages: [RecordID: Int] = [:]
    private var confirmed: Set<RecordID> = []
    /// How many records of each message are not confirmed.
    private var missing: [Int]
    /// What the broker made of each message, until that is handed on.
    private var outcomes: [DeliveryProgress.Outcome?]
    /// The first message that was not handed on.
    private var next = 0
    /// Since when the next message waits for the consumer alone, or when the consumer last confirmed something.
    private var waitingSince: Duration?
    private var hasNews = false

    /// What a new delivery waits for.
    ///
    /// - Parameters:
    ///   - ids: the records' ids, in the order of the messages.
    ///   - recordCounts: how many of them each message carries.
    ///   - earlier: what the delivery before has waited for; what was confirmed of it counts.
    package init(ids: [RecordID], recordCounts: [Int], earlier: AwaitedConfirmations? = nil) {
        missing = recordCounts.map { _ in 0 }
        outcomes = recordCounts.map { _ in nil }
        var rest = ids[...]
        for (message, count) in recordCounts.enumerated() {
            for id in rest.prefix(count) {
                if earlier?.confirmed.contains(id) == true {
                    confirmed.insert(id)
                } else if messages[id] == nil {  // an id that comes again is settled with its first message
                    messages[id] = message
                    missing[message] += 1
                }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The consumer has stored these records; returns how many of them were awaited.
    package mutating func confirm(_ ids: [RecordID]) -> Int {
        var count = 0
        for id in ids {
            guard let message = messages.removeValue(forKey: id) else { continue }
            missing[message] -= 1
            confirmed.insert(id)
            count += 1
        }
        hasNews = hasNews || count > 0
        return count
    }

    /// The broker has taken a message, or will never take it.
    package mutating func concluded(_ message: Int, _ outcome: DeliveryProgress.Outcome) {
        outcomes[message] = outcome
    }

    /// The next messages that are settled, in order. A message that the broker refuses needs no confirmation.
    package mutating func takeConcluded(at now: Duration) -> [Concluded] {
        var concluded: [Concluded] = []
        while next < outcomes.count, let outcome = outcomes[next], !(outcome == .taken && missing[next] > 0) {
            concluded.append((next, outcome))
            next += 1
        }
        let isWaiting = next < outcomes.count && outcomes[next] != nil
        waitingSince = isWaiting ? (hasNews ? now : waitingSince ?? now) : nil
        hasNews = false
        return concluded
    }

    /// Why the broker refuses a message after one that waits for the consumer; `nil` if it refuses none.
    package var heldRefusal: String? {
        for case .dead(let reason) in outcomes[next...].lazy.compactMap(\.self) { return reason }
        return nil
    }

    /// Whether nothing was confirmed for this long, although a message waits for nothing else.
    package func isOverdue(at now: Duration, timeout: Duration) -> Bool {
        waitingSince.map { now - $0 > timeout } ?? false
    }
}
