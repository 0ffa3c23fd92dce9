public import TrackEngine

extension MQTTSink {
    /// Which broker an ``MQTTSink`` publishes to, as whom, and how carefully.
    ///
    /// The defaults: MQTT 5 over TLS, quality of service 1, the system's certificate authorities.
    public struct Configuration: Sendable, Hashable {
        /// The broker's host name or address; an IPv6 address without brackets. Certificates are checked against it.
        public var host: String
        /// What the messages are like, and where they go; it holds the name of the tracked object.
        public var messages: MessageOptions
        /// The broker's port, 1 to 65 535. Default `nil`: 8883 with TLS, 1883 without.
        public var port: Int?
        /// Whom to trust, and who we are. Default: the system's authorities. `nil` is MQTT in the clear, which only
        /// goes to this machine unless ``allowInsecure`` is set.
        public var tls: TLSOptions? = TLSOptions()
        /// The name to log in with, 1 to 65 535 bytes without control characters. Default none.
        public var username: String?
        /// The password to log in with; needs a ``username``. Default none.
        public var password: Password?
        /// MQTT 5 (the default) or 3.1.1, which cannot tell a refused message from a taken one.
        public var protocolVersion = ProtocolVersion.v5
        /// The client's name at the broker, 1 to 256 bytes without control characters. Of two clients of one name each disconnects the other, so a
        /// second sink at the same broker needs one of its own. Default `nil`: the name of the tracked object.
        public var clientID: String?
        /// How sure a record must be of its arrival. Default ``QualityOfService/atLeastOnce``.
        public var qualityOfService = QualityOfService.atLeastOnce
        /// How long the connection may be silent before the broker is probed: 5 to 65 535 s, default 60 s. A dead
        /// connection is noticed after at most twice this time, or after ``acknowledgementTimeout`` while sending.
        public var keepAlive = Duration.seconds(60)
        /// How long the broker keeps the session, and with it commands that come while this client is away: 0 to
        /// 4 294 967 295 s, default 0 (not at all).
        public var sessionExpiry = Duration.zero
        /// How long it may take from looking up the name to the broker's answer: 1 to 120 s, default 10 s.
        public var connectTimeout = Duration.seconds(10)
        /// How long a sent message may stay unacknowledged before the connection is given up: 1 to 600 s, default 30 s.
        public var acknowledgementTimeout = Duration.seconds(30)
        /// The waits between attempts to connect. Default: up to 60 s, with jitter.
        public var backoff = Backoff(maximum: .seconds(60), jitter: true)
        /// How many messages may be under way unacknowledged, 1 to 20, default 20. A broker that takes fewer is obeyed.
        public var inFlight = 20
        /// Keeps the newest record retained on a topic of its own, where the format has one. Default off.
        public var keepsLast = false
        /// Whether the broker is asked to retain what shows how things are now: presence, descriptions and the newest record. Off for
        /// a broker that ends the connection over it; with MQTT 5 a broker says so, and is obeyed. Default on.
        public var retains = true
        /// The topic that retains `online` and, by the broker's hand, `offline`. Default `nil`: no presence.
        public var availabilityTopic: String?
        /// Lets others send commands over MQTT. Default `nil`: none are accepted.
        public var commands: CommandOptions?
        /// Settles a record only once a consumer has confirmed it, too. Default `nil`: the broker's acknowledgement is
        /// enough.
        public var confirm: ConfirmationOptions?
        /// Allows MQTT without TLS to other machines: positions and credentials travel in the clear. Default off.
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
    public enum ProtocolVersion: Sendable, Hashable {
        /// MQTT 5.0.
        case v5
        /// MQTT 3.1.1. A record that the broker's access list forbids is acknowledged and lost.
        case v311
    }

    /// A quality of service. There is no "exactly once": the record's id is what tells repetitions.
    public enum QualityOfService: Int, Sendable, Hashable {
        /// Settled once written to the connection. What is under way when it breaks is lost.
        case atMostOnce = 0
        /// Settled by the broker's acknowledgement.
        case atLeastOnce = 1
    }

    /// Whom to trust, and who we are. TLS 1.2 at least, names and chains always verified; there is no way to turn it
    /// off.
    ///
    /// The files are read again for each connection, so that they can be renewed while the client runs.
    public struct TLSOptions: Sendable, Hashable {
        /// A PEM file of certificate authorities that replaces the system's. Default none.
        public var certificateAuthorityFile: String?
        /// A PEM file with our certificate and its chain, for brokers that ask for one. Default none.
        public var certificateFile: String?
        /// A PEM file with the certificate's private key, without a passphrase, used by its owner only. Default none.
        public var keyFile: String?

        /// The system's authorities, no certificate.
        public init(certificateAuthorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
            self.certificateAuthorityFile = certificateAuthorityFile
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// Where a password comes from.
    public enum Password: Sendable, Hashable {
        /// The password itself.
        case text(Secret)
        /// A file, used by its owner only, whose first line is the password; read again for each connection.
        case file(String)
        /// A systemd credential, by its path below `$CREDENTIALS_DIRECTORY`; read as a ``file(_:)`` is, but for who
        /// else may read it, which is systemd's affair.
        case credential(String)
    }

    /// What others may ask for over MQTT, and where.
    public struct CommandOptions: Sendable, Hashable {
        /// Where commands come in. Replies go to this topic followed by `/reply`, or below that where an MQTT 5 request
        /// says so (response topic); anywhere else a sender could write with this client's rights.
        public var topic: String
        /// What is carried out; everything else is refused.
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
    package var effectivePort: Int { port ?? (tls == nil ? 1883 : 8883) }

    /// The name in use at the broker.
    package var effectiveClientID: String { clientID ?? messages.deviceID.rawValue }
}

extension MQTTSink.Configuration {
    /// How a consumer confirms that it has stored records, for those to whom the broker's acknowledgement is not enough.
    ///
    /// A record is settled once the broker has acknowledged its message and the consumer has published the record's id on
    /// ``topic``, in whichever order. What is not confirmed is delivered again, with the same id. What the consumer
    /// publishes is described in <doc:TheFormats>.
    public struct ConfirmationOptions: Sendable, Hashable {
        /// Where the consumer publishes. Whoever may publish there can make records count as delivered.
        public var topic: String
        /// How long a delivery waits without any confirmation before it ends and is repeated: 1 to 3600 s, default 30 s.
        /// Each confirmation of a record of the delivery begins it anew.
        public var timeout: Duration

        /// Confirmations on this topic.
        public init(topic: String, timeout: Duration = .seconds(30)) {
            self.topic = topic
            self.timeout = timeout
        }
    }
}
