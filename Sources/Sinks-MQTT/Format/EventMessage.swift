import TrackEngine

/// The message of an event in the engine's own schema: `{"schema":"trackengine.event/1",…}`. It has a topic of its
/// own, so consumers of positions need not handle events.
///
/// It has the members of a record's message and `kind`, with the details in a member named for the kind
/// (``EventMembers``). It is never retained: an event is news, not a state.
struct EventMessage: Sendable {
    /// The name and version of the schema.
    static let schema = "trackengine.event/1"

    private let topic: String
    /// `{"schema":"…","device":"…","id":`, the start of each message.
    private let head: [UInt8]

    init(_ options: MessageOptions) {
        topic = options.topics.event
        var writer = JSONWriter()
        writer.member(#"{"schema":"#, Self.schema)
        writer.member(#","device":"#, options.deviceID.rawValue)
        writer.raw(#","id":"#)
        head = writer.bytes
    }

    /// The message of a record that is not a position.
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
