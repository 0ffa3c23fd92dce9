import TrackEngine

/// The contents of a PUBLISH packet, for any quality of service.
public struct MQTTMessage: Sendable, Hashable {
    /// The topic.
    public var topic: String
    /// The application's data.
    public var payload: [UInt8]
    /// Whether the broker keeps the message for later subscribers.
    public var isRetained: Bool
    /// The payload's media type, a property of MQTT 5.
    public var contentType: String?
    /// Names and values in addition to the payload, a property of MQTT 5.
    public var userProperties: [UserProperty]
    /// The correlation data of MQTT 5, by which the receiver of a reply recognizes its request.
    package var correlation: [UInt8]?

    /// Creates a message.
    public init(
        topic: String, payload: [UInt8], isRetained: Bool = false, contentType: String? = nil,
        userProperties: [UserProperty] = []
    ) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.contentType = contentType
        self.userProperties = userProperties
    }

    /// A name and a value in addition to the payload.
    public struct UserProperty: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String

        /// Creates a property.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The media type of all published messages with JSON.
    static let json = "application/json"

    /// A message with JSON and properties for MQTT 5.
    static func json(
        _ topic: String, _ payload: [UInt8], isRetained: Bool = false, _ properties: [UserProperty]
    ) -> MQTTMessage {
        MQTTMessage(
            topic: topic, payload: payload, isRetained: isRetained, contentType: json, userProperties: properties)
    }
}

extension MQTTMessage.UserProperty {
    /// The name of the payload's schema.
    static func schema(_ name: String) -> Self { Self("schema", name) }

    /// The mark of a message that newer records follow.
    static let backlog = Self("backlog", "true")

    /// The stable id of the record in the message, equal for a repetition.
    static func recordID(_ text: String) -> Self { Self("record-id", text) }

    /// The stable id of a record, for messages without the id in their payload.
    static func recordID(_ id: RecordID) -> Self {
        var writer = JSONWriter(capacity: 38)
        writer.recordID(id)
        return recordID(String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self))
    }
}

extension MQTTMessage {
    /// The size of a PUBACK without a reason, in bytes (MQTT 5 section 3.4).
    package static let acknowledgementSize = 4

    /// The size of the PUBLISH packet with this message, in bytes (MQTT 5 section 3.3): fixed header, topic, packet
    /// identifier, properties, payload.
    package func packetSize(version: MQTTSink.Configuration.ProtocolVersion, qualityOfService: Int) -> Int {
        var rest = 2 + topic.utf8.count + (qualityOfService > 0 ? 2 : 0) + payload.count
        if version == .v5 { rest += Self.lengthBytes(propertySize) + propertySize }
        return 1 + Self.lengthBytes(rest) + rest
    }

    /// The size of the properties in bytes, each with its identifier and its lengths.
    private var propertySize: Int {
        var size = contentType.map { 3 + $0.utf8.count } ?? 0
        if let correlation { size += 3 + correlation.count }
        for property in userProperties { size += 5 + property.name.utf8.count + property.value.utf8.count }
        return size
    }

    /// The size of a variable byte integer, in bytes (MQTT 5 section 1.5.5).
    private static func lengthBytes(_ value: Int) -> Int {
        switch value {
        case ..<128: 1
        case ..<16_384: 2
        case ..<2_097_152: 3
        default: 4
        }
    }
}
