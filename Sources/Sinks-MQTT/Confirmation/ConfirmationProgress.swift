package import TrackEngine

/// Determines the settled messages of a delivery where a consumer has to confirm each record: those that the broker
/// has acknowledged and the consumer has confirmed, in either order.
///
/// It is kept until the next delivery begins, so a late confirmation counts for the repetition. It holds only the
/// ids of one batch; other ids are ignored.
package struct ConfirmationProgress: Sendable {
    /// A message by its index, and its outcome.
    package typealias Concluded = (message: Int, outcome: DeliveryProgress.Outcome)

    /// The message that carries each unconfirmed record.
    private var messages: [RecordID: Int] = [:]
    private var confirmed: Set<RecordID> = []
    /// The number of unconfirmed records of each message.
    private var missing: [Int]
    /// The outcome of each message at the broker; `nil` until it is known.
    private var outcomes: [DeliveryProgress.Outcome?]
    /// The first message that was not passed on.
    private var next = 0
    /// The time since which the next message waits only for the consumer, or of the consumer's last confirmation.
    private var waitingSince: Duration?
    private var hasNews = false

    /// The confirmations for a new delivery.
    ///
    /// - Parameters:
    ///   - ids: the records' ids, in the order of the messages.
    ///   - recordCounts: the number of records in each message.
    ///   - earlier: the confirmations of the delivery before; ids confirmed there count.
    package init(ids: [RecordID], recordCounts: [Int], earlier: ConfirmationProgress? = nil) {
        missing = recordCounts.map { _ in 0 }
        outcomes = recordCounts.map { _ in nil }
        var rest = ids[...]
        for (message, count) in recordCounts.enumerated() {
            for id in rest.prefix(count) {
                if earlier?.confirmed.contains(id) == true {
                    confirmed.insert(id)
                } else if messages[id] == nil {  // a repeated id is settled with its first message
                    messages[id] = message
                    missing[message] += 1
                }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Notes that the consumer has stored these records; returns how many of them were awaited.
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

    /// Notes the outcome of a message at the broker.
    package mutating func concluded(_ message: Int, _ outcome: DeliveryProgress.Outcome) {
        outcomes[message] = outcome
    }

    /// The next settled messages, in order. A message that the broker refuses needs no confirmation.
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

    /// The reason why the broker refuses a message after one that waits for the consumer; `nil` if it refuses none.
    package var heldRefusal: String? {
        for case .dead(let reason) in outcomes[next...].lazy.compactMap(\.self) { return reason }
        return nil
    }

    /// Whether no confirmation arrived for this long, although a message waits only for the consumer.
    package func isOverdue(at now: Duration, timeout: Duration) -> Bool {
        waitingSince.map { now - $0 > timeout } ?? false
    }
}
