import Foundation

/// What Home Assistant does with a message, as far as it matters here: a model of its MQTT integration, written from the
/// rules of `homeassistant/components/mqtt` (discovery.py, schemas.py, device_tracker.py, sensor.py, event.py).
package enum HomeAssistantModel {
    /// A tracker's place.
    package struct Place: Equatable {
        package var latitude: Double
        package var longitude: Double
        package var accuracy: Double

        package init(latitude: Double, longitude: Double, accuracy: Double) {
            (self.latitude, self.longitude, self.accuracy) = (latitude, longitude, accuracy)
        }
    }

    /// What is wrong with a description; nothing in one that is accepted.
    package static func problems(topic: String, _ payload: [String: Any]) -> [String] {
        var problems: [String] = []
        if topic.wholeMatch(of: /homeassistant\/device\/[a-zA-Z0-9_-]+\/config/) == nil {
            problems.append("illegal discovery topic")
        }
        let device = payload["device"] as? [String: Any] ?? [:]
        if (device["identifiers"] as? [String] ?? []).isEmpty { problems.append("the device has no identifiers") }
        if (payload["origin"] as? [String: Any])?["name"] as? String == nil { problems.append("no origin") }
        let components = payload["components"] as? [String: [String: Any]] ?? [:]
        if components.isEmpty { problems.append("no components") }
        for (key, component) in components { problems += self.problems(key, component) }
        let ids = components.values.compactMap { $0["unique_id"] as? String }
        if Set(ids).count != components.count { problems.append("unique ids are missing or equal") }
        let shared: Set = ["device", "origin", "components", "availability_topic", "state_topic", "qos", "encoding"]
        problems += payload.keys.filter { !shared.contains($0) }.map { "\($0) is not shared" }
        return problems
    }

    private static func problems(_ key: String, _ component: [String: Any]) -> [String] {
        switch component["platform"] as? String {
        case "device_tracker":
            return component["json_attributes_topic"] == nil ? ["\(key) follows no topic"] : []
        case "binary_sensor":
            let needs = component["state_topic"] == nil ? ["\(key) follows no topic"] : []
            let kind = component["device_class"] as? String
            return needs + (kind.map { $0 == "moving" } ?? true ? [] : ["\(key) is of no known class"])
        case "sensor":
            var problems = component["state_topic"] == nil ? ["\(key) follows no topic"] : []
            // Classes that the format does not use are left out: they need a rule here first.
            let units = ["speed": ["m/s", "km/h"], "distance": ["m", "km"], "battery": ["%"], "timestamp": [nil]]
            if let kind = component["device_class"] as? String,
                !(units[kind] ?? []).contains(component["unit_of_measurement"] as? String)
            {
                problems.append("\(key) has not the unit of a \(kind)")
            }
            if component["device_class"] as? String == "timestamp", component["state_class"] != nil {
                problems.append("\(key) is a time that is measured")
            }
            return problems
        case "event":
            let types = component["event_types"] as? [String] ?? []
            let needs = component["state_topic"] == nil ? ["\(key) follows no topic"] : []
            return needs + (types.isEmpty ? ["\(key) knows no event types"] : [])
        default: return ["\(key) is of no known platform"]
        }
    }

    /// Where a tracker is after a message with attributes; a missing accuracy is 0, and no place is what resets it.
    package static func place(_ attributes: [String: Any]) -> Place? {
        guard let latitude = attributes["latitude"] as? Double, let longitude = attributes["longitude"] as? Double
        else { return nil }
        return Place(latitude: latitude, longitude: longitude, accuracy: attributes["gps_accuracy"] as? Double ?? 0)
    }

    /// What an event entity takes from a message: the type, if it is one that was announced; anything else is ignored with a
    /// warning (event.py).
    package static func event(_ entity: [String: Any], _ message: [String: Any]) -> String? {
        guard let type = message["event_type"] as? String,
            (entity["event_types"] as? [String] ?? []).contains(type)
        else { return nil }
        return type
    }

    /// What a sensor shows: the template `{{ value_json.NAME | default('None') }}` of a JSON message; `nil` is "unknown".
    package static func state(_ sensor: [String: Any], _ message: [String: Any]) -> String? {
        guard let template = sensor["value_template"] as? String,
            let match = template.wholeMatch(of: /\{\{ value_json\.(\w+) \| default\('None'\) \}\}/)
        else { return "error" }
        // Jinja writes "None" for null, which Home Assistant takes for unknown.
        return message[String(match.1)].flatMap { $0 is NSNull ? nil : "\($0)" }
    }

    /// The members of a message to which an entity's template refers.
    package static func fields(_ entity: [String: Any]) -> [String] {
        (entity["value_template"] as? String ?? "").matches(of: /value_json\.(\w+)/).map { String($0.output.1) }
    }
}
