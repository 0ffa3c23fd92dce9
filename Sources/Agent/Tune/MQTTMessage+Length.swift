internal import TrackEngineMQTT

extension MQTTMessage {
    /// The bytes of a PUBACK without a reason (MQTT 5, section 3.4).
    static let acknowledgementLength = 4

    /// The bytes of the PUBLISH that carries this message at quality of service 1 (MQTT 5, section 3.3): fixed header,
    /// topic, packet identifier, properties, payload.
    var publishLength: Int {
        var properties = contentType.map { 3 + $0.utf8.count } ?? 0
        for property in userProperties { properties += 5 + property.name.utf8.count + property.value.utf8.count }
        let rest = 2 + topic.utf8.count + 2 + Self.lengthOfNumber(properties) + properties + payload.count
        return 1 + Self.lengthOfNumber(rest) + rest
    }

    /// The bytes of a variable byte integer (section 1.5.5).
    private static func lengthOfNumber(_ number: Int) -> Int {
        switch number {
        case ..<128: 1
        case ..<16_384: 2
        case ..<2_097_152: 3
        default: 4
        }
    }
}
