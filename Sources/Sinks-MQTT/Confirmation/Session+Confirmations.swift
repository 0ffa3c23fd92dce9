import Logging
import TrackEngine

// Confirmation of each record by a consumer: the subscription, the received confirmations, and the timeout.
extension Session {
    /// Subscribes to the topics; each SUBACK is matched by its packet identifier.
    func subscribe(to topics: [String]) throws(MQTTFailure) {
        for topic in topics {
            let packet = try handle.subscribe(to: topic)
            subscriptions[packet] = topic
            if topic == state.settings.configuration.confirm?.topic { listening = .asked(since: KernelClock.sinceBoot) }
        }
    }

    /// Subscribes again once the pause is over.
    func resumeSubscriptions() throws(MQTTFailure) {
        guard state.restrictions.endsSubscriptionPause(at: KernelClock.sinceBoot) else { return }
        try subscribe(to: state.settings.subscriptions)
    }

    /// Begins a delivery. If the subscription was refused, it is requested again: the access list may have been
    /// corrected.
    func deliveryBegins() throws(MQTTFailure) {
        guard case .refused = listening, let confirm = state.settings.configuration.confirm else { return }
        try subscribe(to: [confirm.topic])
    }

    /// Handles the broker's responses to subscriptions.
    func takeSubscriptionReplies() {
        defer { handle.inbox.subscriptionReplies = [] }
        for (packet, code) in handle.inbox.subscriptionReplies {
            let topic = subscriptions[packet]
            if code >= 0x80 {
                noteRefusal(of: "the subscription to \(topic ?? "a topic")", ReasonCode.name(code))
            }
            guard let topic, topic == state.settings.configuration.confirm?.topic else { continue }
            guard code >= 0x80 else {
                listening = .ready
                continue
            }
            listening = .refused(ReasonCode.name(code))
            let reason = "the broker refuses the subscription to \(topic): \(ReasonCode.name(code))"
            state.tell(state.deliveries.end(DeliveryError(.needsOperator, reason)))
        }
    }

    /// Takes the consumers' confirmations. Ids that are not awaited are ignored.
    func takeConfirmations() {
        let inbox = handle.inbox
        var (confirmed, rejected, reason) = (0, inbox.confirmationOverflow, "too many at once")
        for message in inbox.confirmations {
            switch ConfirmationMessage.parse(message) {
            case .records(let ids): confirmed += state.deliveries.confirm(ids)
            case .malformed(let why): (rejected, reason) = (rejected + 1, why)
            }
        }
        guard confirmed > 0 || rejected > 0 || !inbox.confirmations.isEmpty else { return }
        inbox.forgetConfirmations()
        state.queue.update { status in
            status.confirmed = (status.confirmed ?? 0) + confirmed
            if confirmed > 0 { status.lastConfirmation = .now() }
            status.confirmationsRejected += rejected
        }
        if rejected > 0 { logMalformed(rejected, reason) }
        if confirmed > 0 { state.tell(state.deliveries.settleConfirmed(at: KernelClock.sinceBoot)) }
    }

    private func logMalformed(_ count: Int, _ reason: String) {
        guard let count = state.malformedConfirmations.note(count, at: KernelClock.sinceBoot) else { return }
        state.logger.warning(
            "a confirmation is not understood",
            metadata: [
                "topic": "\(state.settings.configuration.confirm?.topic ?? "")", "reason": "\(reason)",
                "count": "\(count)",
            ])
    }

    /// Ends the delivery if its consumer does not confirm, or could not reach this client; the records are delivered
    /// again.
    func endUnconfirmed() throws(MQTTFailure) {
        guard state.deliveries.owner != nil, let confirm = state.settings.configuration.confirm else { return }
        let now = KernelClock.sinceBoot
        switch listening {
        case .paused:
            let reason = "confirmations are not listened to for a while"
            return state.tell(state.deliveries.end(DeliveryError(.retry(), reason)))
        case .asked(let since) where now - since > state.settings.configuration.acknowledgementTimeout:
            throw MQTTFailure(.timedOut, "the broker does not answer a subscription")
        case .ready, .asked, .refused: break
        }
        let change = state.deliveries.endUnconfirmed(
            after: confirm.timeout, at: now,
            "the broker has records that no consumer confirms: "
                + "no message on \(confirm.topic) for \(confirm.timeout.inWords)")
        state.tell(change)
    }
}

/// Whether confirmations can reach this client on its connection. Records are sent only while they can.
enum ConfirmationState {
    /// No confirmation is required, or the broker has granted the subscription.
    case ready
    /// The subscription was requested. To `ready` or `refused` with the broker's response.
    case asked(since: Duration)
    /// The broker refuses the subscription, for this reason. To `asked` when the next delivery begins.
    case refused(String)
    /// The client's subscriptions are paused (``BrokerRestrictions``). To `asked` when it subscribes again.
    case paused
}
