package import TrackEngine

/// How the deliveries of a sink go: which message may be sent now, and what an acknowledgement, a confirmation or a lost
/// connection means for the delivery under way.
///
/// It outlives connections and knows none of them; ``Session`` sends what it names and ``ClientState`` tells the owner
/// what has become of the delivery.
package struct DeliveryFlow<Owner: Sendable>: Sendable {
    /// News for the one who waits for the delivery.
    package struct Change: Sendable {
        /// Who waits.
        package let owner: Owner
        /// How many messages, from the first on, are settled; `nil` if it is the same as before.
        package var confirmed: Int?
        /// How the delivery has ended; `nil` while it is under way.
        package var result: DeliveryProgress.Result?
    }

    private struct Active: Sendable {
        let owner: Owner
        /// Tells its messages in flight from those of deliveries that were given up.
        let number: Int
        let recordCounts: [Int]
        var progress: DeliveryProgress
    }

    /// Whether a consumer has to confirm the records, too.
    private let needsConfirmation: Bool
    private var active: Active?
    /// What the delivery under way, or the last one, waits for where a consumer has to confirm its records.
    private var awaited: AwaitedConfirmations?
    /// Whether messages are sent one by one, each when the one before is settled, until a delivery succeeds: after a
    /// message that failed they would be sent again and again. See ``connectionLost()``, too.
    private var isCautious = false
    private var count = 0

    /// No delivery is under way.
    package init(needsConfirmation: Bool) {
        self.needsConfirmation = needsConfirmation
    }

    /// Who waits for the delivery under way; `nil` if there is none.
    package var owner: Owner? { active?.owner }

    /// Begins a delivery. One that is still under way was given up by its owner.
    ///
    /// - Parameters:
    ///   - ids: the ids of the records, in the order of the messages, if a consumer has to confirm them.
    ///   - recordCounts: how many records each message carries.
    package mutating func begin(_ owner: Owner, ids: [RecordID], recordCounts: [Int]) {
        count += 1
        active = Active(
            owner: owner, number: count, recordCounts: recordCounts,
            progress: DeliveryProgress(count: recordCounts.count))
        guard needsConfirmation else { return }
        awaited = AwaitedConfirmations(ids: ids, recordCounts: recordCounts, earlier: awaited)
    }

    /// Drops the delivery under way, which its owner has ended.
    package mutating func forget() { active = nil }

    // MARK: Sending

    /// The message to send now, by its place in the delivery.
    ///
    /// - Parameter isListening: whether confirmations could reach this client, or none are needed.
    package func upcoming(isListening: Bool) -> Int? {
        guard isListening, let active, !isCautious || !active.progress.isUnderWay else { return nil }
        return active.progress.upcoming
    }

    /// The upcoming message is on its way; returns the number of its delivery.
    package mutating func sent() -> Int {
        active?.progress.sent()
        return count
    }

    /// How many records a message carries; `nil` if its delivery is not under way any more.
    package func recordCount(of message: Int, in delivery: Int) -> Int? {
        guard let active, active.number == delivery else { return nil }
        return active.recordCounts[message]
    }

    // MARK: Settling

    /// The broker has taken a message of the delivery under way, or will never take it.
    package mutating func conclude(
        _ message: Int, _ outcome: DeliveryProgress.Outcome, at now: Duration
    ) -> Change? {
        var outcome = outcome
        // Where a consumer confirms, what the broker takes after a denial is not settled before that.
        if needsConfirmation, case .denied(let error) = outcome { outcome = .failed(error) }
        if case .failed = outcome, active?.progress.isUnderWay == true { isCautious = true }
        // A failure ends the delivery whatever a consumer confirms.
        guard needsConfirmation, !outcome.isFailure else { return settle(message, outcome) }
        awaited?.concluded(message, outcome)
        return settleConfirmed(at: now)
    }

    /// A consumer has confirmed records; returns how many of them were awaited.
    package mutating func confirm(_ ids: [RecordID]) -> Int { awaited?.confirm(ids) ?? 0 }

    /// Settles the messages that broker and consumer have.
    package mutating func settleConfirmed(at now: Duration) -> Change? {
        guard active != nil, let concluded = awaited?.takeConcluded(at: now) else { return nil }
        var change: Change?
        for (message, outcome) in concluded { change = settle(message, outcome) ?? change }
        return change
    }

    private mutating func settle(_ message: Int, _ outcome: DeliveryProgress.Outcome) -> Change? {
        active?.progress.concluded(message, outcome)
        guard let active else { return nil }
        let change = Change(
            owner: active.owner, confirmed: active.progress.confirmed, result: active.progress.result)
        if let result = change.result {
            if result.failure == nil { isCautious = false }
            self.active = nil
        }
        return change
    }

    // MARK: Ending

    /// Ends the delivery under way for a reason of its own; what is settled of it counts.
    package mutating func end(_ error: DeliveryError) -> Change? {
        guard let active else { return nil }
        self.active = nil
        return Change(owner: active.owner, result: active.progress.interrupted(by: error))
    }

    /// Ends the delivery under way because there is no connection to go on with.
    ///
    /// - Parameter wait: how long it takes until the next attempt to connect.
    package mutating func interrupt(_ failure: MQTTFailure, next wait: Duration) -> Change? {
        end(failure.deliveryError(next: wait, isUnderWay: active?.progress.isUnderWay == true))
    }

    /// Ends the delivery under way if a message waits for its consumer alone and nothing was confirmed for this long.
    package mutating func endUnconfirmed(
        after timeout: Duration, at now: Duration, _ reason: @autoclosure () -> String
    ) -> Change? {
        guard active != nil, awaited?.isOverdue(at: now, timeout: timeout) == true else { return nil }
        isCautious = false  // perhaps the consumer waits for more
        return end(DeliveryError(.retry(), reason()))
    }

    /// The connection has ended, and the confirmations that were to come on it with it.
    ///
    /// Brokers close the connection over a message that is too large. The same batch would come again and again, and the
    /// connection end each time before the records ahead of that message are confirmed. So a refusal that is known is
    /// told, and otherwise the next messages go one by one.
    package mutating func connectionLost() -> Change? {
        guard needsConfirmation, let active else { return nil }
        if active.progress.confirmed == 0, !active.progress.isQuiet { isCautious = true }
        return awaited?.heldRefusal.flatMap { end(DeliveryError(.refused, $0)) }
    }
}
