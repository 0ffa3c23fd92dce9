/// The validated settings of a connection, in the form that the library accepts.
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

    let host: String
    let port: Int32
    let clientID: String
    let version: MQTTSink.Configuration.ProtocolVersion
    let qualityOfService: Int32
    let username: String?
    let password: MQTTSink.Configuration.Password?
    let tls: MQTTSink.Configuration.TLSOptions?
    /// In seconds.
    let keepAlive: Int32
    /// In seconds; the session is clean when 0.
    var sessionExpiry: UInt32
    let connectTimeout: Duration
    let acknowledgementTimeout: Duration
    let inFlight: Int
    /// Whether the broker is asked to retain messages.
    let retains: Bool
    var presence: Presence?
    /// The settings for confirmations by consumers, if they have to confirm records.
    let confirm: MQTTSink.Configuration.ConfirmationOptions?
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
