import Logging
import TrackEngine

// What the broker does not take beside records, said once a connection, and what the client goes without from then on.
extension ClientLoop {
    /// The broker refused something that carries no record, for a reason of its own.
    func noteRefusal(of topic: String, _ code: UInt8) {
        concede(code)
        noteRefusal(of: topic, ReasonCode.name(code))
    }

    /// The broker refused a message of a delivery. What carries records is the drain's affair; what shows the newest one
    /// beside them is told here.
    func noteRefusal(of topic: String?, _ recordCount: Int, _ code: UInt8) {
        guard recordCount == 0, let topic else { return concede(code) }
        noteRefusal(of: topic, code)
    }

    /// Something that carries no record was not taken. It is in the status each time, and once a connection in the log.
    func noteRefusal(of topic: String, _ reason: String) {
        mailbox.update { $0.lastRefusal = "\(topic): \(reason)" }
        guard session?.refusedTopics.insert(topic).inserted == true else { return }
        logger.warning("the broker refuses a message", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
    }

    /// Does without what the broker says that it does not have.
    func concede(_ code: UInt8) {
        concessions.learn(fromReason: code)
        if concessions.retainsNothing { session?.limits.canRetain = false }
    }

    /// Subscribes; each answer is known by the packet that asked.
    func subscribe(to topics: [String]) throws(MQTTFailure) {
        for topic in topics {
            guard let packet = try session?.handle.subscribe(to: topic) else { return }
            session?.subscriptions[packet] = topic
            if topic == settings.confirm?.topic { session?.listening = .asked(since: BootClock.now) }
        }
    }

    /// Subscribes after the time in which the client did not, if that is over.
    func listenAgain() throws(MQTTFailure) {
        guard concessions.mayListenAgain(at: BootClock.now) else { return }
        try subscribe(to: settings.subscriptions)
    }

    /// The failure as a person is told it, with what may be done about it, and what the client does by itself.
    func explained(_ failure: MQTTFailure) -> MQTTFailure {
        let hadPresence = settings.presence != nil && !concessions.retainsNothing
        concessions.learn(from: failure, deafness: settings.deafness, at: BootClock.now)
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
        guard failure.kind == .connectionLost, failure.code == nil, isWaitingForAnswer else { return nil }
        if settings.tls == nil { return "is this plain MQTT to a port for TLS?" }
        return settings.version == .v5 ? "if the broker has no MQTT 5, set `protocol: 3.1.1`" : nil
    }

    /// Whether nothing came back to CONNECT. Of a peer on this machine, a reset may be seen before its acceptance.
    private var isWaitingForAnswer: Bool {
        switch phase {
        case .starting: true
        case .handshaking(let handle, _, _): handle.inbox.answer == nil
        case .idle, .waiting, .online, .leaving, .ended: false
        }
    }
}
