/// What the broker says in its CONNACK that it can take (MQTT 5 section 3.2.2.3); unsaid means no limit.
package struct BrokerLimits: Sendable, Hashable {
    /// Messages of quality of service 1 that may be unacknowledged.
    package var receiveMaximum = 65_535
    /// Bytes of a whole packet.
    package var maximumPacketSize: Int?
    /// The highest quality of service.
    package var maximumQoS = 1
    /// Whether it keeps retained messages.
    package var canRetain = true

    /// No limits.
    package init() {}
}

/// What the client does not use because the broker has refused it, or another client's messages make it impossible.
struct BrokerRestrictions {
    /// The broker retains nothing (0x9A): no presence, whose last will is retained, and messages are not retained.
    private(set) var retainsNothing = false
    /// The broker has taken a retained message or last will: what ends a connection is something else.
    private(set) var hasRetained = false
    /// Until when nothing is subscribed to, after a message that is larger than this client takes: the broker would
    /// send it after each connect, and records could not be delivered.
    private(set) var pausedUntil: Duration?

    /// Learns from a failure.
    mutating func learn(from failure: MQTTFailure, subscriptionPause: Duration, at now: Duration) {
        if failure.code == 0x9A { retainsNothing = true }
        if failure.kind == .messageTooLarge { pausedUntil = now + subscriptionPause }
    }

    /// The broker has refused a message with this reason.
    mutating func learn(fromReason code: UInt8) {
        if code == 0x9A { retainsNothing = true }
    }

    /// The broker has taken a retained message.
    mutating func learnThatItRetains() { hasRetained = true }

    /// Whether the pause is over; true once for each pause.
    mutating func endsSubscriptionPause(at now: Duration) -> Bool {
        guard let until = pausedUntil, now >= until else { return false }
        pausedUntil = nil
        return true
    }

    /// What to connect with. A client that does not subscribe resumes no session: the broker would go on sending.
    mutating func settings(_ settings: ConnectionSettings, at now: Duration) -> ConnectionSettings {
        var settings = settings
        if retainsNothing, settings.presence?.offline.isRetained == true { settings.presence = nil }
        // A connection made after the pause subscribes with the others, and not a second time.
        if !endsSubscriptionPause(at: now), pausedUntil != nil {
            settings.sessionExpiry = 0
            settings.subscriptions = []
        }
        return settings
    }
}
