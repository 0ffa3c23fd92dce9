package import TrackEngine

/// All records of a delivery in one message: `{"schema":"trackengine.batch/1","device":…,"records":[…]}`.
///
/// The records have the members of ``TrackEngineFormat``, except those that all of them would share.
package struct BatchFormat: MessageFormat {
    /// The name and version of the schema.
    package static let schema = "trackengine.batch/1"

    /// All kinds of record have a message.
    package let kinds = RecordKinds.all

    private let topic: TopicTemplate
    private let single: TrackEngineFormat
    /// `{"schema":"…","device":"…"`
    private let head: [UInt8]

    init(_ options: MessageOptions, _ topic: TopicTemplate) {
        self.topic = topic
        single = TrackEngineFormat(options, topic)
        var writer = JSONWriter()
        writer.member(#"{"schema":"#, Self.schema)
        writer.member(#","device":"#, options.deviceID.rawValue)
        head = writer.bytes
    }

    /// One message for a run of positions, or several where the topic depends on the source and that changes. Each
    /// event has a message of its own, in the order of the records.
    package func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage] {
        var messages: [RecordMessage] = []
        var rest = records[...]
        while let first = rest.first {
            guard first.kind == .location else {
                messages += single.messages(for: [first], isBacklog: isBacklog)
                rest = rest.dropFirst()
                continue
            }
            let run = rest.prefix { $0.kind == .location && (topic.isFixed || $0.source == first.source) }
            messages.append(message(run, to: topic.topic(source: first.source), isBacklog: isBacklog))
            rest = rest.dropFirst(run.count)
        }
        return messages
    }

    /// The newest record alone, in the schema for a single record.
    package func latest(_ record: TrackRecord) -> MQTTMessage? {
        single.latest(record)
    }

    private func message(_ records: ArraySlice<TrackRecord>, to topic: String, isBacklog: Bool) -> RecordMessage {
        var writer = JSONWriter(capacity: 128 + RecordMembers.room * records.count)
        writer.raw(head)
        writer.raw(isBacklog ? #","backlog":true,"records":["# : #","records":["#)
        var cache = SourceCache()
        for index in records.indices {
            cache.turn(to: records[index].source, self.topic)
            writer.raw(index > records.startIndex ? #",{"id":"# : #"{"id":"#)
            writer.recordID(records[index].id)
            RecordMembers.write(records[index], source: cache.name, to: &writer)
            writer.raw("}")
        }
        writer.raw("]}")
        let properties = [MQTTMessage.UserProperty.schema(Self.schema)] + (isBacklog ? [.backlog] : [])
        return RecordMessage(.json(topic, writer.bytes, properties), recordCount: records.count)
    }
}
