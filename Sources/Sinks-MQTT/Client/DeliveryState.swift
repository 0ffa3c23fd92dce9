package import TrackEngine

/// The state of a sink's deliveries: which message may be sent now, and the effect of an acknowledgement, a
/// confirmation or a lost connection on the current delivery.
///
/// It outlives connections and does not depend on them. ``Session`` sends the messages that it names, and
/// ``ClientState`` notifies the owner of the delivery.
package struct DeliveryState<Owner: Sendable>: Sendable {
    /// A change for the owner of a delivery.
    package struct Change: Sendable {
        /// The owner of the delivery.
        package let owner: Owner
        /// The number of messages, from the first on, that are settled; `nil` if unchanged.
        package var confirmed: Int?
        /// The result of the delivery; `nil` until it has ended.
        package var result: DeliveryProgress.Result?
    }

    private struct Current: Sendable {
        let owner: Owner
        /// Distinguishes messages in flight of this delivery from those of abandoned deliveries.
        let number: Int
        let recordCounts: [Int]
        var progress: DeliveryProgress
    }

    /// Whether a consumer has to confirm the records, too.
    private let needsConfirmation: Bool
    private var active: Current?
    /// The confirmations that the current or the last delivery waits for; `nil` if no consumer has to confirm.
    private var awaited: ConfirmationProgress?
    /// Whether messages are sent one by one, each when the one before is settled, until a delivery succeeds. This
    /// follows a failed message, because the messages after it would be sent again and again. See
    /// ``connectionLost()``, too.
    private var isCautious = false
    private var count = 0

    /// A flow without a delivery.
    package init(needsConfirmation: Bool) {
        self.needsConfirmation = needsConfirmation
    }

    /// The owner of the current delivery; `nil` if there is none.
    package var owner: Owner? { active?.owner }

    /// Begins a delivery. Any current delivery counts as abandoned by its owner.
    ///
    /// - Parameters:
    ///   - ids: the ids of the records, in the order of the messages, if a consumer has to confirm them.
    ///   - recordCounts: the number of records in each message.
    package mutating func begin(_ owner: Owner, ids: [RecordID], recordCounts: [Int]) {
        count += 1
        active = Current(
            owner: owner, number: count, recordCounts: recordCounts,
            progress: DeliveryProgress(count: recordCounts.count))
        guard needsConfirmation else { return }
        awaited = ConfirmationProgress(ids: ids, recordCounts: recordCounts, earlier: awaited)
    }

    /// Drops the current delivery, which its owner has ended.
    package mutating func forget() { active = nil }

    // MARK: Sending

    /// The message to send now, as its index in the delivery.
    ///
    /// - Parameter isListening: whether confirmations could reach this client, or none are needed.
    package func upcoming(isListening: Bool) -> Int? {
        guard isListening, let active, !isCautious || !active.progress.isUnderWay else { return nil }
        return active.progress.upcoming
    }

    /// Notes that the upcoming message was sent; returns the number of its delivery.
    package mutating func sent() -> Int {
        active?.progress.sent()
        return count
    }

    /// The number of records in a message; `nil` if its delivery is no longer the current one.
    package func recordCount(of message: Int, in delivery: Int) -> Int? {
        guard let active, active.number == delivery else { return nil }
        return active.recordCounts[message]
    }

    // MARK: Settling

    /// Notes the outcome of a message: the broker has acknowledged it, or will never accept it.
    package mutating func conclude(
        _ message: Int, _ outcome: DeliveryProgress.Outcome, at now: Duration
    ) -> Change? {
        var outcome = outcome
        // Where a consumer confirms, a message that the broker accepts after a denied one is not settled before the
        // denied one.
        if needsConfirmation, case .denied(let error) = outcome { outcome = .failed(error) }
        if case .failed = outcome, active?.progress.isUnderWay == true { isCautious = true }
        // A failure ends the delivery regardless of confirmations.
        guard needsConfirmation, !outcome.isFailure else { return settle(message, outcome) }
        awaited?.concluded(message, outcome)
        return settleConfirmed(at: now)
    }

    /// Notes records that a consumer has confirmed; returns how many of them were awaited.
    package mutating func confirm(_ ids: [RecordID]) -> Int { awaited?.confirm(ids) ?? 0 }

    /// Settles the messages that both the broker and the consumer have accepted.
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

    /// Ends the current delivery with an error; its settled messages count.
    package mutating func end(_ error: DeliveryError) -> Change? {
        guard let active else { return nil }
        self.active = nil
        return Change(owner: active.owner, result: active.progress.interrupted(by: error))
    }

    /// Ends the current delivery because there is no connection.
    ///
    /// - Parameter wait: the time until the next attempt to connect.
    package mutating func interrupt(_ failure: MQTTFailure, next wait: Duration) -> Change? {
        end(failure.deliveryError(next: wait, isUnderWay: active?.progress.isUnderWay == true))
    }

    /// Ends the current delivery if a message waits only for its consumer and no confirmation arrived for this long.
    package mutating func endUnconfirmed(
        after timeout: Duration, at now: Duration, _ reason: @autoclosure () -> String
    ) -> Change? {
        guard active != nil, awaited?.isOverdue(at: now, timeout: timeout) == true else { return nil }
        isCautious = false  // perhaps the consumer waits for more messages
        return end(DeliveryError(.retry(), reason()))
    }

    /// Handles the end of the connection, which also ends all confirmations that were expected on it.
    ///
    /// Brokers close the connection over a message that is too large. Then the same batch would be sent again and
    /// again, and each connection would end before the records ahead of that message are confirmed. So a known
    /// refusal ends the delivery, and otherwise the next messages are sent one by one.
    package mutating func connectionLost() -> Change? {
        guard needsConfirmation, let active else { return nil }
        if active.progress.confirmed == 0, !active.progress.isQuiet { isCautious = true }
        return awaited?.heldRefusal.flatMap { end(DeliveryError(.rejected, $0)) }
    }
}
