import TrackEngine
import TrackEngineHistory

extension PointMembers {
    /// Reads a record of CalmGeo, or of the background-geolocation libraries whose shape it has: `timestamp`, `coords`,
    /// `activity`, `battery`. Traccar's clients write the same with other names for some members.
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
            batteryLevel = value["level"]?.senderNumber
            batteryState = value["is_charging"]?.senderBoolean.map { $0 ? .charging : .unplugged }
        default: break
        }
    }

    private mutating func readCoordinates(_ name: String, _ value: JSONValue) {
        switch name {
        case "latitude": latitude = value.senderNumber
        case "longitude": longitude = value.senderNumber
        case "accuracy": horizontalAccuracy = value.senderNumber
        case "speed": speed = value.senderNumber
        case "speedAccuracy", "speed_accuracy": speedAccuracy = value.senderNumber
        case "heading": course = value.senderNumber
        case "headingAccuracy", "heading_accuracy": courseAccuracy = value.senderNumber
        case "altitude": altitude = value.senderNumber
        case "altitudeAccuracy", "altitude_accuracy": verticalAccuracy = value.senderNumber
        case "ellipsoidal_altitude": ellipsoidalAltitude = value.senderNumber
        case "mock": isSimulated = value.senderBoolean == true
        default: break
        }
    }
}
