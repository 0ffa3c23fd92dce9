/// What a client goes without because the broker, or somebody who publishes there, has shown that it cannot be had.
struct Concessions {
    /// The broker retains nothing (0x9A): no presence, whose last will is retained, and messages are not retained.
    private(set) var retainsNothing = false
    /// Until when nothing is subscribed to, after a message that is larger than this client takes: the broker would send
    /// it after each connect, and records could not be delivered.
    private(set) var deafUntil: Duration?

    /// Learns from a failure.
    mutating func learn(from failure: MQTTFailure, deafness: Duration, at now: Duration) {
        if failure.code == 0x9A { retainsNothing = true }
        if failure.kind == .messageTooLarge { deafUntil = now + deafness }
    }

    /// The broker has refused a message with this reason.
    mutating func learn(fromReason code: UInt8) {
        if code == 0x9A { retainsNothing = true }
    }

    /// Whether the time to subscribe again has come; once.
    mutating func mayListenAgain(at now: Duration) -> Bool {
        guard let until = deafUntil, now >= until else { return false }
        deafUntil = nil
        return true
    }

    /// What to connect with. A client that does not listen takes no session over: the broker would go on sending.
    mutating func settings(_ settings: ConnectionSettings, at now: Duration) -> ConnectionSettings {
        var settings = settings
        if retainsNothing { settings.presence = nil }
        // Whoever connects after that while subscribes like everybody, and not a second time.
        if !mayListenAgain(at: now), deafUntil != nil {
            settings.sessionExpiry = 0
            settings.subscriptions = []
        }
        return settings
    }
}
