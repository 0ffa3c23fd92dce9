/// What the broker says in its CONNACK that it can take (MQTT 5 section 3.2.2.3); unsaid means no limit.
package struct BrokerLimits: Sendable, Hashable {
    /// Messages of quality of service 1 that may be unacknowledged.
    package var receiveMaximum = 65_535
    /// Bytes of a whole packet.
    package var maximumPacketSize: Int?
    /// The highest quality of service.
    package var maximumQoS = 1
    /// Whether it keeps retained messages.
    package var canRetain = true

    /// No limits.
    package init() {}
}

extension MQTTMessage {
    /// The bytes of the PUBLISH packet that carries this message (MQTT 5 section 3.3), to be held against
    /// ``BrokerLimits/maximumPacketSize``.
    package func packetSize(version: MQTTSink.Configuration.ProtocolVersion, qualityOfService: Int) -> Int {
        var rest = 2 + topic.utf8.count + (qualityOfService > 0 ? 2 : 0) + payload.count
        if version == .v5 {
            var properties = 0
            if let contentType { properties += 3 + contentType.utf8.count }
            for property in userProperties { properties += 5 + property.name.utf8.count + property.value.utf8.count }
            rest += Self.lengthBytes(properties) + properties
        }
        return 1 + Self.lengthBytes(rest) + rest
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
