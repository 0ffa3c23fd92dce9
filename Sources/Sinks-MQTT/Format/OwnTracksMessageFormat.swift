import OwnTracksFormat
package import TrackEngine
package import TrackEngineSettings

/// The messages of OwnTracks: a location for each record, and the other messages that its apps send.
///
/// With a secret every payload is encrypted, under a random nonce. A repeated message has other bytes, and decrypts
/// to the same.
package struct OwnTracksMessageFormat: MessageFormat {
    /// The name of the schema for MQTT 5's consumers.
    package static let schema = "owntracks.location"
    /// The name of the schema for encrypted messages.
    static let sealedSchema = "owntracks.encrypted"

    /// The kinds that OwnTracks' apps support.
    package let kinds: RecordKinds = [.location, .transition, .heartbeat]

    private let topic: TopicTemplate
    private let location: LocationMessage
    private let transition: TransitionMessage
    private let secret: OwnTracksSecret?
    package let announcements: [MQTTMessage]
    package let lastWill: MQTTMessage?

    init(_ options: MessageOptions, _ topic: TopicTemplate, startedAt: Timestamp) throws(ConfigurationError) {
        let trackerID = options.trackerID ?? TrackerID.ofDevice(options.deviceID)
        let secret = try options.openedSecret()
        self.topic = topic
        self.secret = secret
        location = LocationMessage(trackerID: trackerID, assumedAccuracy: options.assumedAccuracy)
        transition = TransitionMessage(trackerID: trackerID, assumedAccuracy: options.assumedAccuracy)
        func sealed(_ payload: [UInt8]) -> [UInt8] { secret?.sealed(payload) ?? payload }
        let place = topic.topic(source: "")
        lastWill =
            options.lastWill ? .json(place, sealed(OwnTracksMessage.lastWill(since: startedAt)), []) : nil
        announcements =
            options.card.map { card in
                let payload = OwnTracksMessage.card(name: card.name, face: card.face, trackerID: trackerID)
                return [.json(place + "/info", sealed(payload), isRetained: true, [])]
            } ?? []
    }

    /// A message for each record, retained unless newer records wait: the retained position never moves back. A
    /// transition at a place has a message of its own, below the topic of the positions and not retained, as the
    /// apps do it.
    package func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage] {
        var cache = SourceCache()
        return records.map { record in
            cache.turn(to: record.source, topic)
            return RecordMessage(message(record, to: cache, isBacklog: isBacklog))
        }
    }

    /// The newest record's own message, ahead of its turn. It is sent again in its turn with the same `tst` and
    /// `_id`.
    package func latest(_ record: TrackRecord) -> MQTTMessage? {
        var cache = SourceCache()
        cache.turn(to: record.source, topic)
        return message(record, to: cache, isBacklog: false)
    }

    /// The latest record uses the topic of the records.
    package var latestHasOwnTopic: Bool { false }

    private func message(_ record: TrackRecord, to place: SourceCache, isBacklog: Bool) -> MQTTMessage {
        if let payload = transition.payload(of: record, quotedTopic: place.quotedEventTopic) {
            let properties: [MQTTMessage.UserProperty] = [
                .recordID(record.id), secret == nil ? .schema("owntracks.transition") : Self.sealedSchemaProperty,
            ]
            return .json(
                place.topic + "/event", secret?.sealed(payload) ?? payload,
                isBacklog ? properties + [.backlog] : properties)
        }
        let payload = location.payload(of: record, quotedTopic: place.quotedTopic)
        let id = MQTTMessage.UserProperty.recordID(LocationMessage.recordID(in: payload))
        let schema = secret == nil ? Self.schemaProperty : Self.sealedSchemaProperty
        return .json(
            place.topic, secret?.sealed(payload) ?? payload, isRetained: !isBacklog,
            isBacklog ? [id, schema, .backlog] : [id, schema])
    }

    private static let schemaProperty = MQTTMessage.UserProperty.schema(schema)
    private static let sealedSchemaProperty = MQTTMessage.UserProperty.schema(sealedSchema)
}

// MARK: Commands

extension OwnTracksMessageFormat {
    /// The topic for commands of OwnTracks' apps: below the topic of the locations, if that is a single one.
    package var commandTopic: String? { topic.isFixed ? topic.topic(source: "") + "/cmd" : nil }

    /// Parses a message of the type `cmd`; `nil` for one that is not a message of OwnTracks.
    ///
    /// With a secret only encrypted messages are commands: a client that may publish on the topic need not know the
    /// secret.
    package func request(
        _ message: ReceivedMessage, allowed: Set<MQTTCommand>
    ) throws(RemoteRejection) -> RemoteRequest? {
        guard let value = JSONValue(ifReadable: message.payload, maximumDepth: 8), value["_type"] != nil else {
            return nil
        }
        try RemoteRequest.refuse(message)
        return try RemoteRequest(ownTracks: opened(value), allowed: allowed)
    }

    private func opened(_ value: JSONValue) throws(RemoteRejection) -> JSONValue {
        guard let secret else {
            guard !value.isOwnTracksEncrypted else {
                throw RemoteRejection(OwnTracksSecret.Unreadable.noSecret.description)
            }
            return value
        }
        guard value.isOwnTracksEncrypted else { throw RemoteRejection("expected an encrypted message") }
        do throws(OwnTracksSecret.Unreadable) { return try secret.open(value) } catch {
            throw RemoteRejection(error.description)
        }
    }

    /// The message that the apps publish after a command; `nil` where they publish none.
    package func answer(_ command: MQTTCommand, json: [UInt8]) -> MQTTMessage? {
        let place = topic.topic(source: "")
        var quoted = JSONWriter()
        quoted.string(place)
        guard let answer = CommandReplyMessage(command, result: json, location: location, quotedTopic: quoted.bytes)
        else {
            return nil
        }
        // A location is retained for later subscribers, like that of a record.
        return .json(
            place + answer.subtopic, secret?.sealed(answer.payload) ?? answer.payload,
            isRetained: answer.subtopic.isEmpty, [])
    }
}
