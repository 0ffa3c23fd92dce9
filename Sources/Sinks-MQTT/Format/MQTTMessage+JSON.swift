import TrackEngine

extension MQTTMessage {
    /// The media type of all that we send.
    static let json = "application/json"

    /// A message with JSON in it, and what MQTT 5 says beside it.
    static func json(
        _ topic: String, _ payload: [UInt8], isRetained: Bool = false, _ properties: [UserProperty]
    ) -> MQTTMessage {
        MQTTMessage(
            topic: topic, payload: payload, isRetained: isRetained, contentType: json, userProperties: properties)
    }
}

extension MQTTMessage.UserProperty {
    /// Says by which description the payload is to be read.
    static func schema(_ name: String) -> Self { Self("schema", name) }

    /// Says that newer records wait after this message.
    static let backlog = Self("backlog", "true")

    /// The stable id of the record that the message carries: equal for a repetition.
    static func recordID(_ text: String) -> Self { Self("record-id", text) }

    /// The same from the id itself, for messages whose payload does not hold the id.
    static func recordID(_ id: RecordID) -> Self {
        var writer = JSONWriter(capacity: 38)
        writer.recordID(id)
        return recordID(String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self))
    }
}
