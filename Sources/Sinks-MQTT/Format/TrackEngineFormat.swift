package import TrackEngine

/// One record per message, with all known values: `{"schema":"trackengine.record/1",…}`.
package struct TrackEngineFormat: MessageFormat {
    /// The name and version of the schema.
    package static let schema = "trackengine.record/1"

    /// All kinds of record have a message.
    package let kinds = RecordKinds.all

    private let topic: TopicTemplate
    private let event: EventMessage
    private let lastTopic: String
    /// `{"schema":"…","device":"…","id":`, the start of each message.
    private let head: [UInt8]

    init(_ options: MessageOptions, _ topic: TopicTemplate) {
        self.topic = topic
        lastTopic = options.topics.last
        event = EventMessage(options)
        var writer = JSONWriter()
        writer.member(#"{"schema":"#, Self.schema)
        writer.member(#","device":"#, options.deviceID.rawValue)
        writer.raw(#","id":"#)
        head = writer.bytes
    }

    /// A message for each record; those of events have their own topic.
    package func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage] {
        var cache = SourceCache()
        return records.map { record in
            cache.turn(to: record.source, topic)
            guard record.kind == .location else {
                return RecordMessage(event.message(record, source: cache.name, isBacklog: isBacklog))
            }
            return RecordMessage(message(record, cache, to: cache.topic, isBacklog: isBacklog))
        }
    }

    /// The record's own message on the topic of the latest record, retained.
    package func latest(_ record: TrackRecord) -> MQTTMessage? {
        var cache = SourceCache()
        cache.turn(to: record.source, topic)
        var message = message(record, cache, to: lastTopic, isBacklog: false)
        message.isRetained = true
        return message
    }

    private func message(
        _ record: TrackRecord, _ cache: SourceCache, to topic: String, isBacklog: Bool
    ) -> MQTTMessage {
        var writer = JSONWriter(capacity: RecordMembers.room)
        writer.raw(head)
        writer.recordID(record.id)
        RecordMembers.write(record, source: cache.name, to: &writer)
        writer.raw(isBacklog ? #","backlog":true}"# : "}")
        let payload = writer.bytes
        let id = String(decoding: payload[head.count + 1..<head.count + 37], as: UTF8.self)
        return .json(
            topic, payload,
            isBacklog ? [.recordID(id), Self.schemaProperty, .backlog] : [.recordID(id), Self.schemaProperty])
    }

    private static let schemaProperty = MQTTMessage.UserProperty.schema(schema)
}
