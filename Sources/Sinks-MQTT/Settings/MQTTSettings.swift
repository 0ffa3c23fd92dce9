import TrackEngine
public import TrackEngineSettings

extension MQTTSink {
    /// `type: mqtt`: an MQTT broker.
    public static let plugin = SinkPlugin(MQTTSettings.self)
}

/// `{type: mqtt, url: "mqtts://broker.example.org"}`: a broker, and who reads there.
package struct MQTTSettings: SinkSettings {
    package static let type = "mqtt"

    /// The broker's address; `mqtts` unless it is this machine or ``allowInsecure`` is on. Required.
    package var url = ""
    /// The name to log in with.
    package var username: String?
    /// The password to log in with.
    package var password: SecretReference?
    /// Files for TLS.
    package var tls = TLSFiles()
    /// Allows `mqtt` to other machines: everyone on the way can read the positions and the password. Default false.
    package var allowInsecure = false
    /// The client's name at the broker. By default the device's id, and for any but the first MQTT sink the sink's name
    /// behind it, because two clients of one name throw each other out.
    package var clientID: String?
    /// Who shall understand the messages. Default trackengine.
    package var format = RecordFormat.trackengine
    /// What topics begin with.
    package var base = "trackengine"
    /// A template of the records' topic; by default the format's own.
    package var topic: String?
    /// Whose the object is, for OwnTracks. By default the name to log in with, else `trackengine`.
    package var user: String?
    /// The name in topics and records, instead of the agent's own device id.
    package var deviceID: String?
    /// The two characters on OwnTracks' map; by default the last two of the device's id.
    package var trackerID: String?
    /// What OwnTracks and Home Assistant are told of an unknown accuracy, in metres, 1 to 10 000. Default 100.
    package var assumedAccuracy = 100
    /// 1, settled by the broker's acknowledgement, or 0, settled when written. Default 1.
    package var qos = 1
    /// Keeps the newest record retained, sent ahead of a backlog. Default false.
    package var last = false
    /// What others may ask for over MQTT. Default: nothing.
    package var commands: Set<RemoteCommand> = []
    /// Settles a record only once a consumer has confirmed it, too. Default: the broker's acknowledgement is enough.
    package var confirm: MQTTConfirmation?
    /// The version of the protocol. Default 5.
    package var version = ProtocolVersion.five
    /// How long the connection may be silent before the broker is probed, 5 to 65 535 s. Default 60.
    package var keepAlive = Duration.seconds(60)
    /// How long the broker keeps what comes in while the agent is away, 0 to 4 294 967 295 s. Default 0.
    package var sessionExpiry = Duration.zero

    package init() {}

    /// Versions of the protocol.
    package enum ProtocolVersion: String, Sendable, Hashable, CaseIterable {
        case five = "5"
        /// Cannot tell a refused message from a taken one.
        case threeOneOne = "3.1.1"
    }

    package static let fields: [Field<Self>] = [
        .broker,
        .text("username", \.username, .user),
        .secret("password", \.password),
        .table("tls", \.tls, TLSFiles.fields),
        .flag("allowInsecure", \.allowInsecure),
        .text("clientID", \.clientID, .clientID),
        .choice("format", \.format),
        .text("base", \.base),
        .text("topic", \.topic),
        .text("user", \.user),
        .text("deviceID", \.deviceID, .device),
        .text("trackerID", \.trackerID),
        .integer("assumedAccuracy", \.assumedAccuracy, 1...10_000, "metres"),
        .integer("qos", \.qos, 0...1),
        .flag("last", \.last),
        .commands,
        .confirm,
        .choice("protocol", \.version),
        .seconds("keepAlive", \.keepAlive, 5...65_535),
        .seconds("sessionExpiry", \.sessionExpiry, 0...4_294_967_295),
    ]
}

// MARK: What contradicts itself

extension MQTTSettings {
    /// Presence, commands and the newest record of a device are below its base: two sinks would answer each command
    /// twice, and one of them say "offline" for both.
    package var claim: SinkClaim? {
        guard let address = try? BrokerAddress(url) else { return nil }  // reported when it was read
        let port = address.port ?? (address.isSecure ? 8883 : 1883)
        return SinkClaim(
            place: "\(address.host):\(port)/\(base)/\(deviceID ?? "")", key: "base",
            expectation: "a base of its own: another sink of this device publishes there")
    }

    /// Who looks at a map wants to see each record as it comes.
    package var defaultSyncThreshold: Int? {
        switch format {
        case .owntracks, .homeassistant: 1
        case .trackengine, .batch: nil
        }
    }

    package var cautions: [String] {
        guard version == .threeOneOne, qos == 1, confirm == nil else { return [] }
        return ["protocol = 3.1.1: the broker acknowledges what its access list denies, and the record is lost"]
    }

    package mutating func check(_ table: inout TableDecoder) {
        checkAddress(&table)
        if password != nil, username == nil { table.reject("password", "***", "a username beside it") }
        if (tls.certificate == nil) != (tls.key == nil) {
            table.reject("tls", nil, "both certificate and key, or neither")
        }
        checkTopics(&table)
        checkConfirmation(&table)
    }

    private func checkConfirmation(_ table: inout TableDecoder) {
        guard let confirm else { return }
        if qos == 0 { table.reject("confirm", nil, "qos: 1 beside it") }
        let messages = messages(device: "device", programVersion: "")
        do throws(ConfigurationError) {
            let topic = try messages.confirmationTopic(confirm.topic)
            throw ConfigurationError(problems: messages.problems(of: .init(topic: topic, timeout: confirm.timeout)))
        } catch {
            for problem in error.problems { table.reject(problem.key, problem.value, problem.expectation) }
        }
    }

    private func checkAddress(_ table: inout TableDecoder) {
        guard table.node("url") != nil else { return table.reject("url", nil, BrokerAddress.expectation) }
        guard let address = try? BrokerAddress(url) else { return }  // reported when it was read
        if !address.isSecure, tls != TLSFiles() {
            table.reject("tls", nil, "an mqtts address for it, url is \(url)")
        }
        if !address.isSecure, !address.isLoopback, !allowInsecure {
            table.reject("url", nil, "mqtts, or allowInsecure: true to send in the clear")
        }
    }

    /// What the messages' own check finds, at the line of the key. The device's name is only known later, and checked
    /// again then.
    private func checkTopics(_ table: inout TableDecoder) {
        for problem in messages(device: "device", programVersion: "").problems {
            guard table.node(problem.key) != nil else { continue }
            table.reject(problem.key, nil, problem.expectation)
        }
    }
}
