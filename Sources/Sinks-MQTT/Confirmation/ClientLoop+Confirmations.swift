import Logging
import TrackEngine

// Where a consumer has to confirm each record: the subscription, what comes in on it, and what does not come.
extension ClientLoop {
    /// A delivery begins.
    func awaitConfirmations(of delivery: Delivery) {
        guard let confirm = settings.confirm else { return }
        awaited = AwaitedConfirmations(
            ids: delivery.ids, recordCounts: delivery.messages.map(\.recordCount), earlier: awaited)
        // Whoever delivers again after a pause asks whether the access list was put right.
        guard case .refused = session?.listening else { return }
        do throws(MQTTFailure) { try subscribe(to: [confirm.topic]) } catch { failed(error) }
    }

    /// Looks at what the broker says about the subscription.
    func takeSubscriptionReplies(_ inbox: CallbackInbox) {
        defer { inbox.subscriptionReplies = [] }
        for (packet, code) in inbox.subscriptionReplies {
            let topic = session?.subscriptions[packet]
            if code >= 0x80 {
                noteRefusal(of: "the subscription to \(topic ?? "a topic")", ReasonCode.name(code))
            }
            guard let topic, topic == settings.confirm?.topic else { continue }
            guard code >= 0x80 else {
                session?.listening = .ready
                continue
            }
            session?.listening = .refused(ReasonCode.name(code))
            endDelivery(
                DeliveryError(.pause, "the broker refuses the subscription to \(topic): \(ReasonCode.name(code))"))
        }
    }

    /// Takes what consumers have confirmed. Ids that nobody waits for are passed over.
    func takeConfirmations() {
        guard let inbox = session?.handle.inbox else { return }
        var (confirmed, rejected, reason) = (0, inbox.confirmationOverflow, "too many at once")
        for message in inbox.confirmations {
            switch ConfirmationMessage.parse(message) {
            case .records(let ids): confirmed += awaited?.confirm(ids) ?? 0
            case .malformed(let why): (rejected, reason) = (rejected + 1, why)
            }
        }
        guard confirmed > 0 || rejected > 0 || !inbox.confirmations.isEmpty else { return }
        inbox.forgetConfirmations()
        mailbox.update { status in
            status.confirmed = (status.confirmed ?? 0) + confirmed
            if confirmed > 0 { status.lastConfirmation = .now() }
            status.confirmationsRejected += rejected
        }
        if rejected > 0 { logMalformed(rejected, reason) }
        if confirmed > 0 { settleConfirmed() }
    }

    private func logMalformed(_ count: Int, _ reason: String) {
        guard let count = malformedConfirmations.note(count, at: BootClock.now) else { return }
        logger.warning(
            "a confirmation is not understood",
            metadata: ["topic": "\(settings.confirm?.topic ?? "")", "reason": "\(reason)", "count": "\(count)"])
    }

    /// Settles the messages that broker and consumer have.
    func settleConfirmed() {
        guard active != nil, let concluded = awaited?.takeConcluded(at: BootClock.now) else { return }
        for (message, outcome) in concluded { settle(message, outcome) }
    }

    /// Ends the delivery whose consumer does not confirm, or could not reach this client; the drain delivers it again.
    func endUnconfirmed() throws(MQTTFailure) {
        guard active != nil, let confirm = settings.confirm else { return }
        let now = BootClock.now
        switch session?.listening {
        case .paused: return endDelivery(DeliveryError(.retry(), "confirmations are not listened to for a while"))
        case .asked(let since) where now - since > settings.acknowledgementTimeout:
            throw MQTTFailure(.timedOut, "the broker does not answer a subscription")
        case nil, .ready, .asked, .refused: break
        }
        guard awaited?.isOverdue(at: now, timeout: confirm.timeout) == true else { return }
        isCautious = false  // perhaps the consumer waits for more
        endDelivery(
            DeliveryError(
                .retry(),
                "the broker has records that no consumer confirms: "
                    + "nothing on \(confirm.topic) for \(confirm.timeout.inWords)"))
    }

    /// Ends the delivery under way for a reason of its own; what is settled of it counts.
    func endDelivery(_ error: DeliveryError) {
        guard let active else { return }
        active.delivery.end(active.progress.interrupted(by: error))
        self.active = nil
    }

    /// The connection has ended, and the confirmations that were to come on it with it.
    ///
    /// Brokers close the connection over a message that is too large. The same batch would come again and again, and
    /// the connection end each time before the records ahead of that message are confirmed. So a refusal that is known
    /// is told, and otherwise the next messages go one by one.
    func noteLostConfirmations() {
        guard settings.confirm != nil, let active else { return }
        if active.progress.confirmed == 0, !active.progress.isQuiet { isCautious = true }
        if let reason = awaited?.heldRefusal { endDelivery(DeliveryError(.refused, reason)) }
    }

    /// Whether a message with records may be sent now.
    var maySend: Bool {
        switch session?.listening {
        case .ready: !isCautious || active?.progress.isUnderWay == false
        case nil, .asked, .refused, .paused: false
        }
    }
}
