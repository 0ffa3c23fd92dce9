public import TrackEngine

extension MQTTSink {
    /// The broker of an ``MQTTSink``, the client's identity there, and the guarantees.
    ///
    /// The defaults: MQTT 5 over TLS, quality of service 1, the system's certificate authorities.
    public struct Configuration: Sendable, Hashable {
        /// The broker's host name or address; an IPv6 address without brackets. Certificates are checked against it.
        public var host: String
        /// The form and topics of the messages, with the name of the tracked object.
        public var messages: MessageOptions
        /// The broker's port, 1 to 65 535. Default `nil`: 8883 with TLS, 1883 without.
        public var port: Int?
        /// The trusted authorities and the client's certificate. Default: the system's authorities. `nil` is MQTT
        /// without encryption, which is only allowed to this machine unless ``allowInsecure`` is set.
        public var tls: TLSOptions? = TLSOptions()
        /// The user name for the broker, 1 to 65 535 bytes without control characters. Default none.
        public var username: String?
        /// The password for the broker; needs a ``username``. Default none.
        public var password: Password?
        /// MQTT 5 (the default) or 3.1.1, which cannot distinguish a refused message from an accepted one.
        public var protocolVersion = ProtocolVersion.v5
        /// The client's name at the broker, 1 to 256 bytes without control characters. Two clients of one name
        /// disconnect each other, so a second sink at the same broker needs a name of its own. Default `nil`: the
        /// name of the tracked object.
        public var clientID: String?
        /// The delivery guarantee for records. Default ``QualityOfService/atLeastOnce``.
        public var qualityOfService = QualityOfService.atLeastOnce
        /// The longest silence of the connection before the broker is probed: 5 to 65 535 s, default 60 s. A dead
        /// connection is noticed after at most twice this time, or after ``acknowledgementTimeout`` while sending.
        public var keepAlive = Duration.seconds(60)
        /// The time for which the broker keeps the session, including commands that arrive while this client is
        /// away: 0 to 4 294 967 295 s, default 0 (not at all).
        public var sessionExpiry = Duration.zero
        /// The time limit from the name lookup to the broker's response: 1 to 120 s, default 10 s.
        public var connectTimeout = Duration.seconds(10)
        /// The time limit for the acknowledgement of a sent message, after which the connection is given up: 1 to
        /// 600 s, default 30 s.
        public var acknowledgementTimeout = Duration.seconds(30)
        /// The waits between attempts to connect. Default: up to 60 s, with jitter.
        public var backoff = Backoff(maximum: .seconds(60), jitter: true)
        /// The most unacknowledged messages, 1 to 20, default 20. A lower limit of the broker takes precedence.
        public var inFlight = 20
        /// Keeps the newest record retained on a topic of its own, where the format has one. Default off.
        public var keepsLast = false
        /// Whether the broker is asked to retain messages about the current state: presence, descriptions and the
        /// newest record. Turn it off for a broker that ends the connection because of them; a broker with MQTT 5
        /// announces that, and it is respected. Default on.
        public var retains = true
        /// The topic that retains `online` and, published by the broker, `offline`. Default `nil`: no presence.
        public var availabilityTopic: String?
        /// Accepts commands over MQTT. Default `nil`: no commands are accepted.
        public var commands: CommandOptions?
        /// Settles a record only after a consumer has confirmed it, too. Default `nil`: the broker's acknowledgement
        /// is enough.
        public var confirm: ConfirmationOptions?
        /// Allows MQTT without TLS to other machines: positions and credentials are sent unencrypted. Default off.
        public var allowInsecure = false

        /// A configuration with the defaults.
        public init(host: String, deviceID: DeviceID) {
            self.host = host
            messages = MessageOptions(deviceID: deviceID)
        }
    }
}

extension MQTTSink.Configuration {
    /// A version of the protocol.
    public enum ProtocolVersion: String, Sendable, Hashable, CaseIterable {
        /// MQTT 5.0.
        case v5 = "5"
        /// MQTT 3.1.1. A record that the broker's access list forbids is acknowledged and lost.
        case v311 = "3.1.1"
    }

    /// A quality of service. There is no "exactly once": receivers recognize repetitions by the record's id.
    public enum QualityOfService: Int, Sendable, Hashable {
        /// Settled once written to the connection. Messages in flight are lost when it breaks.
        case atMostOnce = 0
        /// Settled by the broker's acknowledgement.
        case atLeastOnce = 1
    }

    /// The trusted authorities and the client's certificate. TLS 1.2 is the minimum, and names and chains are always
    /// verified; this cannot be turned off.
    ///
    /// The files are read again for each connection, so they can be renewed while the client runs.
    public struct TLSOptions: Sendable, Hashable {
        /// A PEM file of certificate authorities that replaces the system's. Default none.
        public var certificateAuthorityFile: String?
        /// A PEM file with the client's certificate and its chain, for brokers that require one. Default none.
        public var certificateFile: String?
        /// A PEM file with the certificate's private key, without a passphrase, that only its owner may use. Default
        /// none.
        public var keyFile: String?

        /// The system's authorities, no certificate.
        public init(certificateAuthorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
            self.certificateAuthorityFile = certificateAuthorityFile
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// The source of a password.
    public enum Password: Sendable, Hashable {
        /// The password itself.
        case text(Secret)
        /// A file with the password in its first line, accessible to its owner only; read again for each connection.
        case file(String)
        /// A systemd credential, by its path below `$CREDENTIALS_DIRECTORY`. It is read like a ``file(_:)``, but
        /// without the check of access rights, which systemd controls.
        case credential(String)
    }

    /// The commands that other clients may send over MQTT, and their topic.
    public struct CommandOptions: Sendable, Hashable {
        /// The topic for commands. Replies go to this topic followed by `/reply`, or to a topic below that which an
        /// MQTT 5 request names (response topic). On any other topic a sender could publish with this client's
        /// rights.
        public var topic: String
        /// The commands that are carried out; all others are refused.
        public var allowed: Set<MQTTCommand>

        /// Allows these commands on this topic.
        public init(topic: String, allowed: Set<MQTTCommand>) {
            self.topic = topic
            self.allowed = allowed
        }
    }
}

extension MQTTSink.Configuration: CustomStringConvertible {
    /// The broker.
    public var description: String { "\(tls == nil ? "mqtt" : "mqtts")://\(host):\(effectivePort)" }

    /// The port in use.
    var effectivePort: Int { port ?? (tls == nil ? 1883 : 8883) }

    /// The client's name at the broker.
    var effectiveClientID: String { clientID ?? messages.deviceID.rawValue }
}

extension MQTTSink.Configuration {
    /// Confirmation by a consumer that it has stored records, for use cases where the broker's acknowledgement is
    /// not enough.
    ///
    /// A record is settled once the broker has acknowledged its message and the consumer has published the record's
    /// id on ``topic``, in either order. Unconfirmed records are delivered again, with the same id. <doc:TheFormats>
    /// describes the consumer's messages.
    public struct ConfirmationOptions: Sendable, Hashable {
        /// The topic on which the consumer publishes. Any client that may publish there can make records count as
        /// delivered.
        public var topic: String
        /// The time that a delivery waits without any confirmation before it ends and is repeated: 1 to 3600 s,
        /// default 30 s. Each confirmation of a record of the delivery restarts it.
        public var timeout: Duration

        /// The range of ``timeout``, in seconds.
        static let timeouts = 1.0...3600

        /// Confirmations on this topic.
        public init(topic: String, timeout: Duration = .seconds(30)) {
            self.topic = topic
            self.timeout = timeout
        }
    }
}
