import TrackEngine

extension Session {
    /// Settles the acknowledgements in the inbox. The clock is read and the status changed once for all of them.
    func takeAcknowledgements() {
        let inbox = handle.inbox
        guard !inbox.acknowledgements.isEmpty else { return }
        let now = KernelClock.sinceBoot
        var (taken, refused) = (0, 0)
        var refusal: String?
        for (packet, code) in inbox.acknowledgements {
            let code = UInt8(truncatingIfNeeded: code)
            guard let owner = inFlight.acknowledged(packet) else { continue }
            // With quality of service 0 a written packet is no evidence about the broker.
            if packet == firstRetained?.packet, state.settings.configuration.qualityOfService == .atLeastOnce {
                firstRetained = nil
                if code < 0x80 { state.restrictions.learnThatItRetains() }
            }
            switch owner {
            case .control(let topic): if code >= 0x80 { noteRefusal(of: topic, code) }
            case .delivery(let number, let message):
                guard let count = state.deliveries.recordCount(of: message, in: number) else { continue }
                if code >= 0x80, count > 0 { refusal = ReasonCode.name(code) }
                if code >= 0x80 {
                    noteRefusal(of: state.deliveries.owner?.messages[message].message.topic, count, code)
                }
                if count > 0 { if code < 0x80 { taken += 1 } else { refused += 1 } }
                // A message that settles no record (the newest one, sent ahead) may fail without harm to those that
                // do.
                let outcome = count == 0 ? .immaterial : ReasonCode.outcome(code, recordCount: count)
                state.tell(state.deliveries.conclude(message, outcome, at: now))
            }
        }
        inbox.acknowledgements.removeAll(keepingCapacity: true)
        if taken > 0 { state.reconnection.settled() }
        state.queue.update { status in
            status.acknowledged += taken
            status.refused += refused
            if taken > 0 { status.lastAcknowledgement = .now() }
            if let refusal { status.lastRefusal = refusal }
        }
    }

    /// Passes on commands, and publishes the announcements again after a consumer's birth message.
    func takeMessages() {
        let inbox = handle.inbox
        takeSubscriptionReplies()
        guard !inbox.messages.isEmpty || inbox.overflow > 0 else { return }
        var commands: [ReceivedMessage] = []
        for message in inbox.messages {
            if message.topic == state.connectMessages.birthTopic {
                if message.payload == Array("online".utf8), !message.isRetained {
                    // A consumer that has started now does not know messages that are not retained.
                    let presence = limits.canRetain ? nil : presence?.online
                    control.post([presence].compactMap(\.self) + state.connectMessages.announcements)
                }
            } else {
                commands.append(message)
            }
        }
        let overflow = inbox.overflow
        inbox.messages = []
        inbox.overflow = 0
        if !commands.isEmpty || overflow > 0 { state.queue.deliver(commands, overflow: overflow) }
    }
}
