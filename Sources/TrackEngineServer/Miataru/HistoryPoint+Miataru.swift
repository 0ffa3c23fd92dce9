import TrackEngine
import TrackEngineHistory

/// A place as Miataru's apps read it: times in seconds as text, unknown values left out.
extension HistoryPoint {
    /// An element of `MiataruLocation`; `slogan` is there in answers to GetLocation alone.
    func location(of id: String, slogan: JSONValue?) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("Device", .string(id)), .init("Timestamp", .string("\(fix.time.secondsSince1970)")),
            .init("Longitude", .number(fix.coordinate.longitude)), .init("Latitude", .number(fix.coordinate.latitude)),
        ]
        if let accuracy = fix.horizontalAccuracy { members.append(.init("HorizontalAccuracy", .number(accuracy))) }
        if let speed = fix.speed { members.append(.init("Speed", .number(speed))) }
        if let level = host?.batteryLevel { members.append(.init("BatteryLevel", .number((level * 100).rounded()))) }
        if let altitude = fix.altitude { members.append(.init("Altitude", .number(altitude))) }
        if let slogan { members.append(.init("Slogan", slogan)) }
        return .object(members)
    }

    /// A feature of GeoJSON (RFC 7946, section 3.2).
    func feature(of id: String) -> JSONValue {
        var properties: [JSONValue.Member] = [
            .init("name", .string(id)), .init("timestamp", .string("\(fix.time.secondsSince1970)")),
        ]
        if let accuracy = fix.horizontalAccuracy { properties.append(.init("horizontalAccuracy", .number(accuracy))) }
        if let speed = fix.speed { properties.append(.init("speed", .number(speed))) }
        if let level = host?.batteryLevel { properties.append(.init("batteryLevel", .number((level * 100).rounded()))) }
        if let altitude = fix.altitude { properties.append(.init("altitude", .number(altitude))) }
        let place = [fix.coordinate.longitude, fix.coordinate.latitude].map { JSONValue.number($0) }
        return .object([
            .init("geometry", .object([.init("type", .string("Point")), .init("coordinates", .array(place))])),
            .init("type", .string("Feature")), .init("properties", .object(properties)),
        ])
    }
}
