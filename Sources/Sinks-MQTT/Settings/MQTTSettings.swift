import OwnTracksFormat
import TrackEngine
public import TrackEngineSettings

extension MQTTSink {
    /// `type: mqtt`: an MQTT broker.
    public static let plugin = SinkPlugin(MQTTSettings.self)
}

/// `{type: mqtt, url: "mqtts://broker.example.org"}`: a broker and the format for its consumers.
package struct MQTTSettings: SinkSettings {
    package static let type = "mqtt"
    package static let summary = "An MQTT broker."

    /// The broker's address; `mqtts` unless it is this machine or ``allowInsecure`` is on. Required.
    package var url = ""
    /// The user name for the broker.
    package var username: String?
    /// The password for the broker.
    package var password: SecretReference?
    /// Files for TLS.
    package var tls = TLSFiles()
    /// Allows `mqtt` to other machines: everyone on the network path can read the positions and the password.
    /// Default false.
    package var allowInsecure = false
    /// The client's name at the broker. The default is the device's id. For all MQTT sinks but the first, the sink's
    /// name is appended, because two clients of one name disconnect each other.
    package var clientID: String?
    /// The format of the messages. Default trackengine.
    package var format = RecordFormat.trackengine
    /// The first levels of all topics.
    package var base = "trackengine"
    /// A template of the records' topic; by default the format's own.
    package var topic: String?
    /// The user that owns the object, for OwnTracks. By default the name to log in with, else `trackengine`.
    package var user: String?
    /// The name in topics and records, instead of the agent's own device id.
    package var deviceID: String?
    /// The two characters on OwnTracks' map; by default the last two letters and digits of the device's id.
    package var trackerID: String?
    /// The secret for encrypting OwnTracks' payloads. Default: no encryption.
    package var secret: SecretReference?
    /// Whether the last will is OwnTracks' `lwt`, in place of the presence. Default false.
    package var lwt = false
    /// The name and picture that OwnTracks shows for the device.
    package var card = MQTTCard()
    /// The accuracy reported to OwnTracks and Home Assistant when it is unknown, in metres, 1 to 10 000. Default
    /// 100.
    package var assumedAccuracy = 100
    /// 1, settled by the broker's acknowledgement, or 0, settled when written. Default 1.
    package var qos = 1
    /// Whether the broker is asked to retain messages. Default true.
    package var retain = true
    /// Keeps the newest record retained, sent ahead of a backlog. Default false.
    package var last = false
    /// The commands accepted over MQTT. Default: none.
    package var commands: Set<RemoteCommand> = []
    /// Settles a record only after a consumer has confirmed it, too. Default: the broker's acknowledgement is
    /// enough.
    package var confirm: MQTTConfirmation?
    /// The version of the protocol. Default 5.
    package var version = ProtocolVersion.five
    /// The longest silence of the connection before the broker is probed, 5 to 65 535 s. Default 60.
    package var keepAlive = Duration.seconds(60)
    /// The time for which the broker keeps commands while the agent is away, 0 to 4 294 967 295 s. Default 0.
    package var sessionExpiry = Duration.zero

    package init() {}

    /// Versions of the protocol.
    package enum ProtocolVersion: String, Sendable, Hashable, CaseIterable {
        case five = "5"
        /// Cannot distinguish a refused message from an accepted one.
        case threeOneOne = "3.1.1"
    }

    package static let fields: [Field<Self>] = [
        .broker.required()
            .meaning("The broker's address; mqtts unless it is this machine or allowInsecure is on."),
        .text("username", \.username, .brokerUser).meaning("The name to log in with."),
        .secret("password", \.password).meaning("The password to log in with; needs username."),
        .table("tls", \.tls, TLSFiles.fields).meaning("Files for TLS."),
        .flag("allowInsecure", \.allowInsecure)
            .meaning("Allows mqtt to other machines: everyone on the way can read the positions and the password."),
        .text("clientID", \.clientID, .clientID)
            .meaning("The client's name at the broker; null for the device's id, and a second sink's name behind it."),
        .choice("format", \.format).meaning(
            "The format of the messages; owntracks and homeassistant send each record at once."),
        .text("base", \.base).meaning("The beginning of topics; a second sink at one broker needs another."),
        .text("topic", \.topic)
            .meaning("The topic of records, of {base}, {device}, {user} and {source}; null for the format's own."),
        .text("user", \.user).meaning("The owner of the object, for OwnTracks; null for username, else trackengine."),
        .text("deviceID", \.deviceID, .device).meaning("The name in topics and records, instead of device.id."),
        .text("trackerID", \.trackerID)
            .meaning(
                "The two characters on OwnTracks' map; null for the last two letters and digits of the device's id."),
        .secret("secret", \.secret)
            .meaning("The key that encrypts OwnTracks' payloads: its first 32 bytes, as in OwnTracks' apps."),
        .flag("lwt", \.lwt)
            .meaning("Whether the last will is OwnTracks' lwt on the topic of records, in place of availability."),
        .table("card", \.card, MQTTCard.fields).meaning("The card that OwnTracks shows, retained at /info."),
        .integer("assumedAccuracy", \.assumedAccuracy, MessageOptions.accuracies, "metres")
            .meaning("The accuracy that OwnTracks and Home Assistant get where it is unknown."),
        .integer("qos", \.qos, 0...1)
            .meaning("Whether an acknowledgement settles a record (1), or writing it (0), which may lose it."),
        .flag("retain", \.retain)
            .meaning(
                "Whether the broker is asked to retain presence, descriptions and the newest record; false for one that refuses it."
            ),
        .flag("last", \.last).meaning("Keeps the newest record retained, and sends it ahead of a backlog."),
        .commands("commands", \.commands).meaning("The commands that are accepted over MQTT."),
        .confirm.meaning("Settles a record only once a consumer has confirmed it, too; {} confirms by the defaults."),
        .choice("protocol", \.version)
            .meaning("The version of MQTT; 3.1.1 cannot distinguish a refused message from an accepted one."),
        .seconds("keepAlive", \.keepAlive, MQTTSink.Configuration.Bounds.keepAlive.asNumbers)
            .meaning("How long the connection may be silent before the broker is probed."),
        .seconds("sessionExpiry", \.sessionExpiry, MQTTSink.Configuration.Bounds.sessionExpiry.asNumbers)
            .meaning("How long the broker keeps commands that come while the agent is away."),
    ]
}

// MARK: Sinks at the same broker

extension MQTTSettings {
    /// The base of the device's topics for presence, commands and the newest record. With the same base, two sinks
    /// would answer each command twice, and one of them would publish "offline" for both.
    package var claim: SinkClaim? {
        guard let address = BrokerAddress(ifReadable: url) else { return nil }
        let port = address.port ?? (address.isSecure ? 8883 : 1883)
        return SinkClaim(
            place: "\(address.host):\(port)/\(base)/\(deviceID ?? "")", key: "base",
            expectation: "a base of its own: another sink of this device publishes there")
    }

    /// Viewers of a map expect each record at once.
    package var defaultSyncThreshold: Int? {
        switch format {
        case .owntracks, .homeassistant: 1
        case .trackengine, .batch: nil
        }
    }

    package var receiverName: ReceiverName? {
        // On another topic the Recorder takes the names from other levels, or from none.
        guard format == .owntracks, topic == nil else { return nil }
        let user = messages(device: "device", programVersion: "").user
        return ReceiverName(user: user, device: deviceID.map(DeviceID.init(rawValue:)), key: "deviceID") {
            RecorderName.folded(user: $0, device: $1)
        }
    }

    package var cautions: [String] {
        guard version == .threeOneOne, qos == 1, confirm == nil else { return [] }
        return [
            "protocol = 3.1.1: the broker acknowledges messages that its access list denies, and the record is lost"
        ]
    }
}

extension MQTTSettings {
    package var readers: String? {
        if secret != nil { return "everyone with the secret" }
        guard let address = BrokerAddress(ifReadable: url) else { return nil }
        return "every client that may subscribe at \(address.host)"
    }
}
