/// What a connection needs to know, looked at and in the form in which the library takes it.
struct ConnectionSettings: Sendable {
    /// A message that the broker publishes when this client disappears, and its counterpart.
    struct Presence: Sendable {
        /// Published after each connect; `nil` where consumers have no word for it.
        let online: MQTTMessage?
        /// The last will, and what is published before a disconnect.
        let offline: MQTTMessage

        /// `online` or `offline` on a topic of its own.
        init(topic: String, isRetained: Bool) {
            online = MQTTMessage(topic: topic, payload: Array("online".utf8), isRetained: isRetained)
            offline = MQTTMessage(topic: topic, payload: Array("offline".utf8), isRetained: isRetained)
        }

        /// A last will in the consumers' own words.
        init(_ lastWill: MQTTMessage) {
            online = nil
            offline = lastWill
        }
    }

    let host: String
    let port: Int32
    let clientID: String
    let version: MQTTSink.Configuration.ProtocolVersion
    let qualityOfService: Int32
    let username: String?
    let password: MQTTSink.Configuration.Password?
    let tls: MQTTSink.Configuration.TLSOptions?
    /// Seconds.
    let keepAlive: Int32
    /// Seconds; the session is clean when 0.
    var sessionExpiry: UInt32
    let connectTimeout: Duration
    let acknowledgementTimeout: Duration
    let inFlight: Int
    /// Whether the broker is asked to retain messages.
    let retains: Bool
    var presence: Presence?
    /// How consumers confirm records, if they have to.
    let confirm: MQTTSink.Configuration.ConfirmationOptions?
    /// What to listen to: commands, the topic on which consumers announce their birth, and that on which they confirm.
    var subscriptions: [String]
    /// For how long nothing is subscribed to after a message that is larger than this client takes.
    var subscriptionPause = Duration.seconds(600)
    /// Called on the attempt's thread before it looks the name up, for tests: a lookup that hangs cannot be had on
    /// order.
    var beforeLookup: @Sendable () -> Void = {}

    /// Where Debian, and with it Docker images and systems made from it, keep the authorities that the system trusts.
    static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"
}
