import TrackEngine
import TrackEngineHistory

extension PointMembers {
    /// Reads a GeoJSON feature with Overland's properties.
    static func overland(_ feature: JSONValue) -> Result<PointMembers, PointProblem> {
        guard let properties = feature["properties"]?.members else {
            return .failure(PointProblem(.foreign, "expected GeoJSON features with properties in 'locations'"))
        }
        if let other = kindOfOther(feature["properties"]) { return .failure(PointProblem(.unusable, other)) }
        guard let geometry = feature["geometry"], geometry["type"]?.string == "Point",
            let position = geometry["coordinates"]?.array, position.count >= 2
        else {
            return .failure(
                PointProblem(.incomplete, "expected a geometry of the type Point with a longitude and a latitude"))
        }
        var members = PointMembers()
        members.longitude = position[0].senderNumber
        members.latitude = position[1].senderNumber
        for property in properties { members.readOverland(property.name, property.value) }
        if members.altitude == nil, position.count > 2 { members.altitude = members.number("altitude", position[2]) }
        return .success(members)
    }

    /// Describes a feature that is no location.
    private static func kindOfOther(_ properties: JSONValue?) -> String? {
        if let action = properties?["action"]?.string {
            return action == "visit" ? "a visit, which is no location" : "an action, which is no location"
        }
        return properties?["type"]?.string == "trip" ? "a finished trip, which is no location" : nil
    }

    private mutating func readOverland(_ name: String, _ value: JSONValue) {
        switch name {
        case "timestamp": time = value.senderTime
        case "altitude": altitude = number(name, value)
        case "speed": speed = number(name, value)
        case "course": course = number(name, value)
        case "horizontal_accuracy": horizontalAccuracy = number(name, value)
        case "vertical_accuracy": verticalAccuracy = number(name, value)
        case "speed_accuracy": speedAccuracy = number(name, value)
        case "course_accuracy": courseAccuracy = number(name, value)
        case "motion": activity = Activity(motion: value)
        case "battery_state": batteryState = HostStatus.BatteryState(sent: value)
        case "battery_level": batteryLevel = number(name, value)
        case "device_id": device = value.senderText
        case "satellites": satellites = number(name, value)
        case "hdop": horizontalDilution = number(name, value)
        case "record_id": senderID = value.string.flatMap(SenderID.init(sent:))
        default: break
        }
    }
}

extension Activity {
    /// Overland's `motion`: a list of words, or one; the fastest counts.
    init?(motion: JSONValue) {
        let words = motion.array ?? [motion]
        let found = words.compactMap { $0.string.flatMap(Activity.init(sent:)) }
        guard let fastest = found.max(by: { $0.rawValue < $1.rawValue }) else { return nil }
        self = fastest
    }
}
