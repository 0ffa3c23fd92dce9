import TrackEngine
import TrackEngineHistory

/// A place as Miataru's apps read it: times in seconds as text, unknown values left out.
extension HistoryPoint {
    /// An element of `MiataruLocation`; `slogan` is there in answers to GetLocation alone.
    func location(of id: String, slogan: JSONValue?) -> JSONValue {
        .members(
            ("Device", .string(id)), ("Timestamp", .string("\(fix.time.secondsSince1970)")),
            ("Longitude", .number(fix.coordinate.longitude)), ("Latitude", .number(fix.coordinate.latitude)),
            ("HorizontalAccuracy", fix.horizontalAccuracy.map { .number($0) }),
            ("Speed", fix.speed.map { .number($0) }),
            ("BatteryLevel", host?.batteryLevel.map { .number(($0 * 100).rounded()) }),
            ("Altitude", fix.altitude.map { .number($0) }), ("Slogan", slogan))
    }

    /// A feature of GeoJSON (RFC 7946, section 3.2).
    func feature(of id: String) -> JSONValue {
        let properties = JSONValue.members(
            ("name", .string(id)), ("timestamp", .string("\(fix.time.secondsSince1970)")),
            ("horizontalAccuracy", fix.horizontalAccuracy.map { .number($0) }),
            ("speed", fix.speed.map { .number($0) }),
            ("batteryLevel", host?.batteryLevel.map { .number(($0 * 100).rounded()) }),
            ("altitude", fix.altitude.map { .number($0) }))
        let place = [fix.coordinate.longitude, fix.coordinate.latitude].map { JSONValue.number($0) }
        return .object([
            .init("geometry", .object([.init("type", .string("Point")), .init("coordinates", .array(place))])),
            .init("type", .string("Feature")), .init("properties", properties),
        ])
    }
}
