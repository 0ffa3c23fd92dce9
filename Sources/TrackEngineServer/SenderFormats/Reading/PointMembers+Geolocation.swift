import TrackEngine
import TrackEngineHistory

extension PointMembers {
    /// Reads a record of CalmGeo, or of the background-geolocation libraries with the same structure: `timestamp`,
    /// `coords`, `activity`, `battery`. Traccar's clients write the same with other names for some members.
    init(geolocation record: JSONValue) {
        for member in record.members ?? [] { readRecord(member.name, member.value) }
        for member in record["coords"]?.members ?? [] { readCoordinates(member.name, member.value) }
    }

    private mutating func readRecord(_ name: String, _ value: JSONValue) {
        switch name {
        case "timestamp": time = value.senderTime
        case "id", "uuid": senderID = value.string.flatMap(SenderID.init(sent:))
        case "isMoving", "is_moving": isMoving = value.senderBoolean
        case "mock": isSimulated = value.senderBoolean == true
        case "activity": activity = (value["type"]?.string ?? value.string).flatMap(Activity.init(sent:))
        case "battery":
            batteryLevel = value["level"].flatMap { number("level", $0) }
            batteryState = value["is_charging"]?.senderBoolean.map { $0 ? .charging : .unplugged }
        default: break
        }
    }

    private mutating func readCoordinates(_ name: String, _ value: JSONValue) {
        switch name {
        case "latitude": latitude = number(name, value)
        case "longitude": longitude = number(name, value)
        case "accuracy": horizontalAccuracy = number(name, value)
        case "speed": speed = number(name, value)
        case "speedAccuracy", "speed_accuracy": speedAccuracy = number(name, value)
        case "heading": course = number(name, value)
        case "headingAccuracy", "heading_accuracy": courseAccuracy = number(name, value)
        case "altitude": altitude = number(name, value)
        case "altitudeAccuracy", "altitude_accuracy": verticalAccuracy = number(name, value)
        case "ellipsoidal_altitude": ellipsoidalAltitude = number(name, value)
        case "mock": isSimulated = value.senderBoolean == true
        default: break
        }
    }
}
