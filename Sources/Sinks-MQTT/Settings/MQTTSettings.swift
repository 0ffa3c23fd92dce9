import OwnTracksFormat
package import TrackEngine
public import TrackEngineSettings

extension MQTTSink {
    /// `type: mqtt`: an MQTT broker.
    public static let plugin = SinkPlugin(MQTTSettings.self)
}

/// `{type: mqtt, url: "mqtts://broker.example.org"}`: a broker and the format for its consumers.
package struct MQTTSettings: SinkSettings {
    package static let type = "mqtt"
    package static let summary = "An MQTT broker."

    /// The broker's address; `mqtts` unless it is this machine or insecure connections are allowed. Required.
    package var url = ""
    /// The password for the broker.
    package var password: SecretReference?
    /// Files for TLS.
    package var tls = TLSFiles()
    /// The user that owns the object, for OwnTracks. By default the name to log in with, else `trackengine`.
    package var user: String?
    /// The name in topics and records, instead of the agent's own device id.
    package var deviceID: String?
    /// The secret for encrypting OwnTracks' payloads. Default: no encryption.
    package var secret: SecretReference?
    /// The name and picture that OwnTracks shows for the device.
    package var card = MQTTCard()
    /// The commands accepted over MQTT. Default: none.
    package var commands: Set<RemoteCommand> = []
    /// Settles a record only after a consumer has confirmed it, too. Default: the broker's acknowledgement is
    /// enough.
    package var confirm: MQTTConfirmation?
    /// The sink's configuration, with the values that need neither the address nor a secret nor the device. Without a
    /// client's name it is the device's id; the name of any MQTT sink but the first is appended, because two clients
    /// of one name disconnect each other.
    package var configuration = MQTTSink.Configuration(host: "", deviceID: "")

    package init() {}

    package static let fields: [Field<Self>] =
        ownFields
        + MQTTSink.Configuration.settings.filter { !$0.meaning.isEmpty }
        .map { Field($0).within(\Self.configuration) }

    private static let ownFields: [Field<Self>] = [
        .broker.required()
            .meaning("The broker's address; mqtts unless it is this machine or allowInsecure is on."),
        .text("username", \.configuration.username, .brokerUser).meaning("The name to log in with."),
        .secret("password", \.password).meaning("The password to log in with; needs username."),
        .table("tls", \.tls, TLSFiles.fields).meaning("Files for TLS."),
        .flag("allowInsecure", \.configuration.allowInsecure)
            .meaning("Allows mqtt to other machines: everyone on the way can read the positions and the password."),
        .text("clientID", \.configuration.clientID, .clientID)
            .meaning("The client's name at the broker; null for the device's id, and a second sink's name behind it."),
        .choice("format", \.configuration.messages.format).meaning(
            "The format of the messages; owntracks and homeassistant send each record at once."),
        .text("base", \.configuration.messages.base).meaning(
            "The beginning of topics; a second sink at one broker needs another."),
        .text("topic", \.configuration.messages.topic)
            .meaning("The topic of records, of {base}, {device}, {user} and {source}; null for the format's own."),
        .text("user", \.user).meaning("The owner of the object, for OwnTracks; null for username, else trackengine."),
        .text("deviceID", \.deviceID, .device).meaning("The name in topics and records, instead of device.id."),
        .text("trackerID", \.configuration.messages.trackerID)
            .meaning(
                "The two characters on OwnTracks' map; null for the last two letters and digits of the device's id."),
        .secret("secret", \.secret)
            .meaning("The key that encrypts OwnTracks' payloads: its first 32 bytes, as in OwnTracks' apps."),
        .flag("lwt", \.configuration.messages.lastWill)
            .meaning("Whether the last will is OwnTracks' lwt on the topic of records, in place of availability."),
        .table("card", \.card, MQTTCard.fields).meaning("The card that OwnTracks shows, retained at /info."),
        .integer("assumedAccuracy", \.configuration.messages.assumedAccuracy, MessageOptions.accuracies, "metres")
            .meaning("The accuracy that OwnTracks and Home Assistant get where it is unknown."),
        .value("qos", \.configuration.qualityOfService, .qualityOfService, show: { .word("\($0.rawValue)") })
            .meaning("Whether an acknowledgement settles a record (1), or writing it (0), which may lose it."),
        .flag("retain", \.configuration.retains)
            .meaning(
                "Whether the broker is asked to retain presence, descriptions and the newest record; false for one that refuses it."
            ),
        .flag("last", \.configuration.keepsLast).meaning(
            "Keeps the newest record retained, and sends it ahead of a backlog."),
        .commands("commands", \.commands).meaning("The commands that are accepted over MQTT."),
        .confirm.meaning("Settles a record only once a consumer has confirmed it, too; {} confirms by the defaults."),
        .choice("protocol", \.configuration.protocolVersion)
            .meaning("The version of MQTT; 3.1.1 cannot distinguish a refused message from an accepted one."),
    ]
}

// MARK: Sinks at the same broker

extension MQTTSettings: ConflictSettings, SyncSettings, ReceiverSettings, WarningSettings {
    /// The base of the device's topics for presence, commands and the newest record. With the same base, two sinks
    /// would answer each command twice, and one of them would publish "offline" for both.
    package var conflict: ConflictKey? {
        guard let address = BrokerAddress(ifReadable: url) else { return nil }
        let port = address.port ?? (address.isSecure ? 8883 : 1883)
        return ConflictKey(
            place: "\(address.host):\(port)/\(configuration.messages.base)/\(deviceID ?? "")", key: "base",
            expectation: "a base of its own: another sink of this device publishes there", isRefused: true)
    }

    /// Viewers of a map expect each record at once.
    package var defaultSyncThreshold: Int? {
        switch configuration.messages.format {
        case .owntracks, .homeassistant: 1
        case .trackengine, .batch: nil
        }
    }

    package var receiverName: ReceiverName? {
        // On another topic the Recorder takes the names from other levels, or from none.
        guard configuration.messages.format == .owntracks, configuration.messages.topic == nil else { return nil }
        let user = messages(device: "device", programVersion: "").user
        return ReceiverName(user: user, device: deviceID.map(DeviceID.init(rawValue:)), key: "deviceID") {
            RecorderName.folded(user: $0, device: $1)
        }
    }

    package func cautions(beside tracking: RecordingConfiguration, sourceCount: Int) -> [String] {
        guard configuration.protocolVersion == .v311, configuration.qualityOfService == .atLeastOnce, confirm == nil
        else { return [] }
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
