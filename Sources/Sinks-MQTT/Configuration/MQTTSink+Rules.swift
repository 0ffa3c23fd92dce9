package import TrackEngine
import TrackEngineSettings

extension ConnectionSettings {
    /// Validates all settings and reports all problems at once.
    init(
        _ configuration: MQTTSink.Configuration, id: SinkID, _ format: (any MessageFormat)?
    ) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        check.problems = configuration.problemsWithoutFiles
        if id.rawValue.isEmpty { check.problem("id", "(empty)", "a name for the sink") }
        if let tls = configuration.tls { check.files(of: tls) }
        try check.finish()
        self.configuration = configuration
        presence =
            format?.lastWill.map(Presence.init)
            ?? configuration.availabilityTopic.map { Presence(topic: $0, isRetained: configuration.retains) }
        let commands = [configuration.commands?.topic, configuration.commands.flatMap { _ in format?.commandTopic }]
        let topics = (commands + [format?.birthTopic, configuration.confirm?.topic]).compactMap(\.self)
        subscriptions = topics.enumerated().filter { !topics[..<$0].contains($1) }.map(\.element)
    }
}

extension MQTTSink.Configuration {
    /// All problems except those of the TLS files; a password file is read.
    package var problemsWithoutFiles: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        check.broker(of: self)
        check.identity(of: self)
        check.password(of: self)
        if let tls { check.problems += tls.problems }
        check.values(of: self, Self.settings)
        check.values(of: backoff, Backoff.settings, under: "backoff.")
        check.topics(of: self)
        check.confirmation(of: self)
        return check.problems
    }

    /// The values with a range. Those with a meaning are also keys of an agent's sink.
    static let settings: [Setting<Self>] = [
        Setting("keepAlive", .seconds(\.keepAlive, 5...65_535))
            .meaning("How long the connection may be silent before the broker is probed."),
        Setting("sessionExpiry", .seconds(\.sessionExpiry, 0...4_294_967_295))
            .meaning("How long the broker keeps commands that come while the agent is away."),
        Setting("connectTimeout", .seconds(\.connectTimeout, 1...120)),
        Setting("acknowledgementTimeout", .seconds(\.acknowledgementTimeout, 1...600))
            .meaning("How long the broker may take to acknowledge a message; longer for links by satellite."),
        Setting("inFlight", .integer(\.inFlight, 1...20, "messages")),
    ]
}

extension TextRule {
    /// A client's name at the broker; each broker decides whether it accepts more than 23 letters and digits.
    static let clientID = TextRule(expectation: "1 to 256 bytes of text without control characters") { text in
        (1...256).contains(text.utf8.count) && !text.hasControlCharacter
    }

    /// A user name at a broker, as long as the protocol permits, since some brokers expect a token there. It may
    /// contain a colon, which for RabbitMQ ends the name of the virtual host.
    static let brokerUser = TextRule(expectation: "1 to 65535 bytes of text without control characters") { text in
        (1...65_535).contains(text.utf8.count) && !text.hasControlCharacter
    }
}

extension MQTTSink.Configuration.TLSOptions {
    /// The problems of the options, regardless of the contents of the files.
    package var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        switch (certificateFile, keyFile) {
        case (nil, nil), (_?, _?): break
        case (let file?, nil): check.problem("tls.certificateFile", file, "a tls.keyFile with it")
        case (nil, let keyFile?): check.problem("tls.keyFile", keyFile, "a tls.certificateFile with it")
        }
        return check.problems
    }
}

extension ConfigurationCheck {
    fileprivate mutating func broker(of configuration: MQTTSink.Configuration) {
        let host = configuration.host
        let isHost =
            (1...253).contains(host.utf8.count)
            && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/@[]?#".utf8.contains($0) }
        if !isHost { problem("host", "\"\(host.prefix(64))\"", "a host name or address, without scheme and port") }
        range("port", configuration.effectivePort, 1...65_535)
        if configuration.tls == nil, !configuration.isLoopback, !configuration.allowInsecure {
            problem("tls", "off", "TLS, or allowInsecure to send positions in the clear")
        }
    }

    fileprivate mutating func identity(of configuration: MQTTSink.Configuration) {
        text("clientID", configuration.effectiveClientID, .clientID)
        if let username = configuration.username { text("username", username, .brokerUser) }
    }

    fileprivate mutating func password(of configuration: MQTTSink.Configuration) {
        guard let password = configuration.password else { return }
        if configuration.username == nil { problem("password", "***", "a username with it") }
        switch password {
        case .text(let secret):
            let bytes = secret.revealed.utf8
            if !(1...65_535).contains(bytes.count) || bytes.contains(0) {
                problem("password", "***", "1 to 65535 bytes without NUL")
            }
        case .file(let path):
            do throws(MQTTFailure) { _ = try SecretFile.firstLine(of: path) } catch {
                problem("password", path, "a readable file with the password, which only its owner may use (mode 0600)")
            }
        case .credential(let path):
            do throws(MQTTFailure) { _ = try SecretFile.firstLine(of: path, isPrivate: false) } catch {
                problem("password", path, "a readable file with the password")
            }
        }
    }

    fileprivate mutating func topics(of configuration: MQTTSink.Configuration) {
        if let topic = configuration.availabilityTopic { self.topic("availabilityTopic", topic) }
        guard let commands = configuration.commands else { return }
        topic("commands.topic", commands.topic)
        if commands.allowed.isEmpty { problem("commands.allowed", "(empty)", "at least one command, or no commands") }
    }

    fileprivate mutating func confirmation(of configuration: MQTTSink.Configuration) {
        guard let confirm = configuration.confirm else { return }
        topic("confirm.topic", confirm.topic)
        seconds("confirm.timeout", confirm.timeout, within: MQTTSink.Configuration.ConfirmationOptions.timeouts)
        if configuration.qualityOfService == .atMostOnce {
            problem("confirm", "\"\(confirm.topic.prefix(64))\"", "quality of service 1 with it")
        }
        if [configuration.commands?.topic, configuration.availabilityTopic].contains(confirm.topic) {
            problem("confirm.topic", "\"\(confirm.topic.prefix(64))\"", "a topic of its own")
        }
    }

    private mutating func topic(_ key: String, _ topic: String) {
        if !TopicName.isValid(topic) { problem(key, "\"\(topic.prefix(64))\"", TopicName.expectation) }
    }
}

extension MQTTSink.Configuration {
    /// Whether messages stay on this machine: `localhost`, 127.0.0.0/8, `::1`.
    package var isLoopback: Bool { host.lowercased().isLoopbackHost }
}
