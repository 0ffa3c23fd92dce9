/// A validated configuration, with the messages and topics that follow from it.
struct ConnectionSettings: Sendable {
    /// A message that the broker publishes when this client disappears, and its counterpart.
    struct Presence: Sendable {
        /// Published after each connect; `nil` where consumers have no message for it.
        let online: MQTTMessage?
        /// The last will, also published before a disconnect.
        let offline: MQTTMessage

        /// `online` or `offline` on a topic of its own.
        init(topic: String, isRetained: Bool) {
            online = MQTTMessage(topic: topic, payload: Array("online".utf8), isRetained: isRetained)
            offline = MQTTMessage(topic: topic, payload: Array("offline".utf8), isRetained: isRetained)
        }

        /// A last will in the consumers' format.
        init(_ lastWill: MQTTMessage) {
            online = nil
            offline = lastWill
        }
    }

    var configuration: MQTTSink.Configuration
    var presence: Presence?
    /// The topics to subscribe to: commands, the consumers' birth messages, and confirmations.
    var subscriptions: [String]
    /// The pause without subscriptions after a message that is larger than this client accepts.
    var subscriptionPause = Duration.seconds(600)
    /// Called on the attempt's thread before the name lookup, for tests, which cannot provoke a lookup that hangs.
    var beforeLookup: @Sendable () -> Void = {}

    /// The file with the authorities that the system trusts, on Debian and on Docker images and systems derived from
    /// it.
    static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"
}
