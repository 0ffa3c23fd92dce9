extension MQTTMessage {
    /// The bytes of a PUBACK without a reason (MQTT 5 section 3.4).
    package static let acknowledgementSize = 4

    /// The bytes of the PUBLISH packet that carries this message (MQTT 5 section 3.3): fixed header, topic, packet
    /// identifier, properties, payload.
    package func packetSize(version: MQTTSink.Configuration.ProtocolVersion, qualityOfService: Int) -> Int {
        var rest = 2 + topic.utf8.count + (qualityOfService > 0 ? 2 : 0) + payload.count
        if version == .v5 { rest += Self.lengthBytes(propertySize) + propertySize }
        return 1 + Self.lengthBytes(rest) + rest
    }

    /// The bytes of the properties, each with its identifier and its lengths.
    private var propertySize: Int {
        var size = contentType.map { 3 + $0.utf8.count } ?? 0
        if let correlation { size += 3 + correlation.count }
        for property in userProperties { size += 5 + property.name.utf8.count + property.value.utf8.count }
        return size
    }

    /// The bytes of a variable byte integer (MQTT 5 section 1.5.5).
    private static func lengthBytes(_ value: Int) -> Int {
        switch value {
        case ..<128: 1
        case ..<16_384: 2
        case ..<2_097_152: 3
        default: 4
        }
    }
}
