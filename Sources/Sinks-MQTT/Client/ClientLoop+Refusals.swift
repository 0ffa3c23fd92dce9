import Logging
import TrackEngine

// What the broker does not take beside records, said once a connection, and what the client does not use from then on.
extension ClientLoop {
    /// The broker refused something that carries no record, for a reason of its own.
    func noteRefusal(of topic: String, _ code: UInt8) {
        learnRestriction(code)
        noteRefusal(of: topic, ReasonCode.name(code))
    }

    /// The broker refused a message of a delivery. What carries records is the drain's affair; what shows the newest
    /// one beside them is told here.
    func noteRefusal(of topic: String?, _ recordCount: Int, _ code: UInt8) {
        guard recordCount == 0, let topic else { return learnRestriction(code) }
        noteRefusal(of: topic, code)
    }

    /// Something that carries no record was not taken. It is in the status each time, and once a connection in the log.
    func noteRefusal(of topic: String, _ reason: String) {
        mailbox.update { $0.lastRefusal = "\(topic): \(reason)" }
        guard session?.refusedTopics.insert(topic).inserted == true else { return }
        logger.warning("the broker refuses a message", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
    }

    /// Remembers what the broker says that it does not support.
    func learnRestriction(_ code: UInt8) {
        restrictions.learn(fromReason: code)
        if restrictions.retainsNothing { session?.limits.canRetain = false }
    }

    /// Subscribes; each SUBACK is matched by its packet identifier.
    func subscribe(to topics: [String]) throws(MQTTFailure) {
        for topic in topics {
            guard let packet = try session?.handle.subscribe(to: topic) else { return }
            session?.subscriptions[packet] = topic
            if topic == settings.confirm?.topic { session?.listening = .asked(since: BootClock.now) }
        }
    }

    /// Subscribes again once the pause is over.
    func resumeSubscriptions() throws(MQTTFailure) {
        guard restrictions.endsSubscriptionPause(at: BootClock.now) else { return }
        try subscribe(to: settings.subscriptions)
    }

    /// The failure as the status and the log show it, with a hint, and what the client does by itself.
    func explained(_ failure: MQTTFailure) -> MQTTFailure {
        let hadPresence = settings.presence != nil && !restrictions.retainsNothing
        restrictions.learn(from: failure, subscriptionPause: settings.subscriptionPause, at: BootClock.now)
        if failure.code == 0x9A, hadPresence {
            logger.warning("the broker retains nothing: presence is off")
            return MQTTFailure(.brokerUnavailable, "\(failure.description): going on without presence", code: 0x9A)
        }
        if failure.kind == .messageTooLarge {
            logger.warning(
                "commands are not listened to for a while", metadata: ["reason": "\(failure)"])
            mailbox.update { $0.lastRefusal = failure.description }
        }
        guard let hint = hint(for: failure) else { return failure }
        return MQTTFailure(failure.kind, "\(failure.description): \(hint)", code: failure.code)
    }

    private func hint(for failure: MQTTFailure) -> String? {
        if settings.version == .v5, failure.code == 1 || failure.code == 0x84 {
            return "set `protocol: 3.1.1` for a broker without MQTT 5"
        }
        guard failure.kind == .connectionLost, failure.code == nil, isWaitingForConnectReply else { return nil }
        if settings.tls == nil { return "is this plain MQTT to a port for TLS?" }
        return settings.version == .v5 ? "if the broker has no MQTT 5, set `protocol: 3.1.1`" : nil
    }

    /// Whether nothing came back to CONNECT. Of a peer on this machine, a reset may be seen before its acceptance.
    private var isWaitingForConnectReply: Bool {
        switch phase {
        case .starting: true
        case .handshaking(let handle, _, _): handle.inbox.connectReply == nil
        case .idle, .waiting, .online, .leaving, .ended: false
        }
    }
}
