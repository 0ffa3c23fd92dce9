import TrackEngine

/// The description from which Home Assistant 2024.11 or newer makes a device (MQTT discovery, "device discovery
/// payload"): a tracker and sensors. Member names are not abbreviated; the message is rare, and people may have to
/// read it.
struct HomeAssistantDiscovery: Sendable {
    /// The topic prefix of Home Assistant's discovery.
    static let prefix = "homeassistant"

    let device: DeviceID
    let attributesTopic: String
    let healthTopic: String
    let eventTopic: String
    let availabilityTopic: String
    /// The version that Home Assistant shows for the device, if known.
    let softwareVersion: String?

    /// The retained message with the description.
    var message: MQTTMessage {
        let topic = "\(Self.prefix)/device/\(objectID)/config"
        return .json(topic, description.bytes, isRetained: true, [.schema("homeassistant.device")])
    }

    private var objectID: String { HomeAssistantID.escaping(device.rawValue) }

    private var description: JSONValue {
        let identifier = "trackengine_" + objectID
        return .object([
            .init(
                "device",
                .object(
                    [
                        .init("identifiers", .array([.string(identifier)])),
                        .init("name", .string(device.rawValue)),
                        .init("model", .string("TrackEngine")),
                    ] + version)),
            .init("origin", .object([.init("name", .string("TrackEngine"))] + version)),
            .init("components", .object(components.map { .init($0.key, $0.value(identifier)) })),
        ])
    }

    private var version: [JSONValue.Member] {
        softwareVersion.map { [.init("sw_version", .string($0))] } ?? []
    }

    private var components: [Component] {
        [
            Component(
                "location", "device_tracker",
                [("json_attributes_topic", attributesTopic), ("source_type", "gps")], name: .null),
            sensor(
                "speed", "Speed", attributesTopic,
                [("device_class", "speed"), ("unit_of_measurement", "m/s"), ("state_class", "measurement")]),
            sensor(
                "altitude", "Altitude", attributesTopic,
                [("device_class", "distance"), ("unit_of_measurement", "m"), ("state_class", "measurement")]),
            // No state class: the mean of 359° and 1° would be 180°.
            sensor("course", "Course", attributesTopic, [("unit_of_measurement", "°")]),
            Component(
                "moving", "binary_sensor",
                [
                    ("state_topic", attributesTopic), ("device_class", "moving"),
                    ("value_template", "{{ 'ON' if value_json.moving else 'OFF' }}"),
                    ("availability_topic", availabilityTopic),
                ], name: .string("Moving")),
            // The name of a place is not a number: no class and no unit.
            sensor("place", "Place", attributesTopic, []),
            sensor(
                "battery_level", "Battery", attributesTopic,
                [
                    ("device_class", "battery"), ("unit_of_measurement", "%"), ("state_class", "measurement"),
                    ("entity_category", "diagnostic"),
                ]),
            sensor(
                "queued", "Queue", healthTopic,
                [
                    ("unit_of_measurement", "records"), ("state_class", "measurement"),
                    ("entity_category", "diagnostic"),
                ]),
            sensor(
                "last_success", "Last success", healthTopic,
                [("device_class", "timestamp"), ("entity_category", "diagnostic")]),
            Component(
                "event", "event",
                [("state_topic", eventTopic), ("availability_topic", availabilityTopic)], name: .string("Event"),
                more: [.init("event_types", .array(HomeAssistantEvent.types.map { .string($0) }))]),
        ]
    }

    /// A sensor that shows a member of a JSON message, and is unavailable while the agent is away. Only the tracker
    /// has no availability, so the last place stays on the map while a vehicle is off. `None` means unknown for Home
    /// Assistant. The template's default must not also replace "falsy" values, which would make a speed of 0
    /// unknown.
    private func sensor(
        _ member: String, _ name: String, _ topic: String, _ more: [(String, String)]
    ) -> Component {
        let template = "{{ value_json.\(member) | default('None') }}"
        return Component(
            member, "sensor",
            [("state_topic", topic), ("value_template", template), ("availability_topic", availabilityTopic)] + more,
            name: .string(name))
    }

    /// One entity.
    private struct Component {
        let key: String
        let members: [JSONValue.Member]

        init(
            _ key: String, _ platform: String, _ members: [(String, String)], name: JSONValue,
            more: [JSONValue.Member] = []
        ) {
            self.key = key
            self.members =
                [.init("platform", .string(platform)), .init("name", name)]
                + members.map { .init($0.0, .string($0.1)) } + more
        }

        func value(_ device: String) -> JSONValue {
            .object(members + [.init("unique_id", .string("\(device)_\(key)"))])
        }
    }
}

/// Names in the alphabet of Home Assistant's object ids, `[a-zA-Z0-9_-]`.
package enum HomeAssistantID {
    /// A text in that alphabet, different for different texts: `_` is doubled, and each byte outside the alphabet
    /// becomes `_` and two hexadecimal digits.
    ///
    /// | text | id |
    /// |---|---|
    /// | `van-7` | `van-7` |
    /// | `van_7` | `van__7` |
    /// | `van 7` | `van_207` |
    /// | `ü` | `_C3_BC` |
    package static func escaping(_ text: String) -> String {
        var id: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                id.append(byte)
            case UInt8(ascii: "_"):
                id += "__".utf8
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                id += (byte < 16 ? "_0\(digits)" : "_\(digits)").utf8
            }
        }
        return String(decoding: id, as: UTF8.self)
    }
}
