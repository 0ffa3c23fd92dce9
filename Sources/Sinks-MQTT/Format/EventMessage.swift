import TrackEngine

/// The message of an event in our own schema: `{"schema":"trackengine.event/1",…}`, to a topic of its own, so that who follows
/// positions need not know of events.
///
/// It has the members of a record's message and `kind`, with what there is to say under the kind's name (``EventMembers``). It is
/// never retained: an event is news, not a state.
struct EventMessage: Sendable {
    /// The name and version of the schema.
    static let schema = "trackengine.event/1"

    private let topic: String
    /// `{"schema":"…","device":"…","id":`: what each message begins with.
    private let head: [UInt8]

    init(_ options: MessageOptions) {
        topic = options.topics.event
        var writer = JSONWriter()
        writer.raw(#"{"schema":""#)
        writer.raw(Self.schema.utf8)
        writer.raw(#"","device":"#)
        writer.string(options.deviceID.rawValue)
        writer.raw(#","id":"#)
        head = writer.bytes
    }

    /// The message of a record that is no position.
    func message(_ record: TrackRecord, source: [UInt8], isBacklog: Bool) -> MQTTMessage {
        var writer = JSONWriter(capacity: 2 * RecordMembers.room)
        writer.raw(head)
        writer.recordID(record.id)
        RecordMembers.write(record, source: source, to: &writer)
        EventMembers.write(record.content, to: &writer)
        writer.raw(isBacklog ? #","backlog":true}"# : "}")
        let properties: [MQTTMessage.UserProperty] = [.recordID(record.id), .schema(Self.schema)]
        return .json(topic, writer.bytes, isBacklog ? properties + [.backlog] : properties)
    }
}
