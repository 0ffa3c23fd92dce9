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
        if members.altitude == nil, position.count > 2 { members.altitude = position[2].senderNumber }
        return .success(members)
    }

    /// What a feature is that is no location.
    private static func kindOfOther(_ properties: JSONValue?) -> String? {
        if let action = properties?["action"]?.string {
            return action == "visit" ? "a visit, which is no location" : "an action, which is no location"
        }
        return properties?["type"]?.string == "trip" ? "a finished trip, which is no location" : nil
    }

    private mutating func readOverland(_ name: String, _ value: JSONValue) {
        switch name {
        case "timestamp": time = value.senderTime
        case "altitude": altitude = value.senderNumber
        case "speed": speed = value.senderNumber
        case "course": course = value.senderNumber
        case "horizontal_accuracy": horizontalAccuracy = value.senderNumber
        case "vertical_accuracy": verticalAccuracy = value.senderNumber
        case "speed_accuracy": speedAccuracy = value.senderNumber
        case "course_accuracy": courseAccuracy = value.senderNumber
        case "motion": activity = Activity(motion: value)
        case "battery_state": batteryState = HostStatus.BatteryState(sent: value)
        case "battery_level": batteryLevel = value.senderNumber
        case "device_id": device = value.senderText
        case "satellites": satellites = value.senderNumber
        case "hdop": horizontalDilution = value.senderNumber
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
