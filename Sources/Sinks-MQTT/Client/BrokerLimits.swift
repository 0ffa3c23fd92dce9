/// Limits that the broker announces in its CONNACK (MQTT 5 section 3.2.2.3). An absent property means no limit.
package struct BrokerLimits: Sendable, Hashable {
    /// The most unacknowledged messages of quality of service 1.
    package var receiveMaximum = 65_535
    /// The largest whole packet, in bytes.
    package var maximumPacketSize: Int?
    /// The highest quality of service.
    var maximumQoS = 1
    /// Whether the broker supports retained messages.
    var canRetain = true
}

/// Features that the client does not use, because the broker refused them or another client's messages make them
/// impossible.
struct BrokerRestrictions {
    /// Whether the broker retains no messages (0x9A). Then there is no presence, because its last will is retained,
    /// and messages are sent unretained.
    private(set) var retainsNothing = false
    /// Whether the broker has accepted a retained message, and a retained last will. If so, a lost connection has another
    /// cause.
    private(set) var (hasRetained, hasAcceptedWill) = (false, false)
    /// How many connections in a row were lost right after a retained message was sent.
    private(set) var retainedLosses = 0
    /// The end of the pause without subscriptions, after a message that is larger than this client accepts. The
    /// broker would send that message after each connect, and records could not be delivered.
    private(set) var pausedUntil: Duration?

    /// Derives restrictions from a failure.
    mutating func learn(from failure: MQTTFailure, subscriptionPause: Duration, at now: Duration) {
        if failure.code == 0x9A { retainsNothing = true }
        if failure.kind == .messageTooLarge { pausedUntil = now + subscriptionPause }
    }

    /// Derives restrictions from the reason with which the broker refused a message.
    mutating func learn(fromReason code: UInt8) {
        if code == 0x9A { retainsNothing = true }
    }

    /// Notes that the broker accepted a retained message.
    mutating func learnThatItRetains() { (hasRetained, retainedLosses) = (true, 0) }

    /// Notes that the broker accepted a client with a retained last will. It may still refuse retained messages.
    mutating func learnThatItAcceptsWill() { hasAcceptedWill = true }

    /// Counts a lost connection.
    mutating func learnThatConnectionWasLost(afterRetained isRight: Bool) {
        retainedLosses = isRight ? retainedLosses + 1 : 0
    }

    /// Whether the pause is over; true once for each pause.
    mutating func endsSubscriptionPause(at now: Duration) -> Bool {
        guard let until = pausedUntil, now >= until else { return false }
        pausedUntil = nil
        return true
    }

    /// The settings for the next connection. A client that does not subscribe resumes no session either: the broker
    /// would go on sending.
    mutating func settings(_ settings: ConnectionSettings, at now: Duration) -> ConnectionSettings {
        var settings = settings
        if retainsNothing, settings.presence?.offline.isRetained == true { settings.presence = nil }
        // A connection made after the pause subscribes with the other topics, and not a second time.
        if !endsSubscriptionPause(at: now), pausedUntil != nil {
            settings.configuration.sessionExpiry = .zero
            settings.subscriptions = []
        }
        return settings
    }
}
