import OwnTracksFormat
package import TrackEngine
package import TrackEngineSettings

extension MQTTSettings {
    package func makeSink(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> any FixSink {
        let connection: MQTTSink.Configuration
        do throws(ConfigurationError) { connection = try self.connection(named: name, context) } catch {
            // If a secret is missing, report the other problems, too.
            var check = ConfigurationCheck()
            check.files(of: tls.options)
            throw ConfigurationError(problems: error.problems + check.problems.map(inWordsOfSettings))
        }
        do throws(ConfigurationError) {
            return try MQTTSink(id: name, configuration: connection, logger: context.logger)
        } catch {
            throw ConfigurationError(problems: error.problems.map(inWordsOfSettings))
        }
    }

    /// The configuration of the sink's connection. Its secrets are read here.
    package func connection(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> MQTTSink.Configuration {
        let address = try address()
        let device = deviceID.map(DeviceID.init(rawValue:)) ?? context.device
        var sink = configuration
        (sink.host, sink.port, sink.tls) = (address.host, address.port, address.isSecure ? tls.options : nil)
        sink.messages = messages(device: device, programVersion: context.programVersion)
        sink.clientID = sink.clientID ?? (context.isFirstOfType ? device.rawValue : "\(device)-\(name)")
        sink.password = try password.map { reference throws(ConfigurationError) in try secret(reference, context) }
        if let secret { sink.messages.secret = try context.secret("secret", secret) }
        if let face = card.face { sink.messages.card?.face = try picture(face) }
        // A delivery waits for the next attempt to connect, so the wait between attempts is limited by that of
        // deliveries.
        sink.backoff.maximum = min(sink.backoff.maximum, context.sync.backoff.maximum)
        if !commands.isEmpty {
            sink.commands = .init(topic: sink.messages.topics.command, allowed: commands)
        }
        if let confirm {
            let topic = try sink.messages.confirmationTopic(confirm.topic)
            sink.confirm = .init(topic: topic, timeout: confirm.timeout)
        }
        return sink
    }

    package func messages(device: DeviceID, programVersion: String) -> MessageOptions {
        var options = configuration.messages
        options.deviceID = device
        options.user = user ?? userOfTopics ?? options.user
        options.softwareVersion = programVersion
        if card != MQTTCard() { options.card = OwnTracksCard(name: card.name) }
        // Until the secret is read, only its presence matters.
        if secret != nil { options.secret = Secret("x") }
        return options
    }

    /// The user name for topics: the name to log in with, except one that cannot be a level where no topic contains
    /// it.
    private var userOfTopics: String? {
        let templates = [configuration.messages.topic ?? configuration.messages.format.defaultTopic, confirm?.topic]
            .compactMap(\.self)
        let isUsed = templates.contains { $0.contains("{user}") }
        return isUsed ? configuration.username : configuration.username.flatMap(Self.levelOfTopic)
    }

    private static func levelOfTopic(_ text: String) -> String? {
        TopicText.problem(inLevel: text) == nil && text.utf8.count <= TopicText.maximumNameLength ? text : nil
    }

    private func picture(_ path: String) throws(ConfigurationError) -> [UInt8] {
        guard let bytes = (try? FileContent.read(path, limit: OwnTracksMessage.largestFace, .followsLinks))?.bytes,
            OwnTracksMessage.isPNG(bytes)
        else {
            throw ConfigurationError("card.face", path, "a readable PNG file of at most 64 KiB")
        }
        return bytes
    }

    private func address() throws(ConfigurationError) -> BrokerAddress {
        do throws(BrokerAddress.Malformed) {
            return try BrokerAddress(url)
        } catch {
            throw ConfigurationError("url", "***", error.rawValue)
        }
    }

    /// Reads a file or a credential to find problems at once; the sink reads it again for each connection.
    private func secret(
        _ reference: SecretReference, _ context: PluginContext
    ) throws(ConfigurationError) -> MQTTSink.Configuration.Password {
        let secret = try context.secret("password", reference)
        switch reference {
        case .file(let path): return .file(path)
        case .credential(let name): return .credential(try context.credentialPath("password", name))
        case .environment, .literal: return .text(secret)
        }
    }
}
