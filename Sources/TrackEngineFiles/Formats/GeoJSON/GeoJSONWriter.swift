package import TrackEngine

/// GeoJSON (RFC 7946): a `FeatureCollection` with one `Point` per record, one feature per line.
///
/// The third coordinate is the height above the ellipsoid, as section 4 requires, if it is known. The height above
/// mean sea level is the property `altitude`. The height above the ellipsoid is repeated as `ellipsoidal_altitude`,
/// because most readers assume that the third coordinate is the height above mean sea level. The properties have
/// Overland's names if it has one, so that its readers understand them. Unknown values are left out.
package struct GeoJSONWriter: TrackWriter {
    private var writer = JSONWriter()
    private var isFirst: Bool

    /// - Parameter continuing: Whether the document already has features.
    package init(continuing: Bool = false) {
        isFirst = !continuing
    }

    package mutating func begin(_ bytes: inout [UInt8]) {
        bytes.append(#"{"type":"FeatureCollection","features":["#)
    }

    package mutating func appendValid(_ record: RecordDraft, to bytes: inout [UInt8]) {
        bytes.append(isFirst ? "\n" : ",\n")
        isFirst = false
        writer.removeAll()
        write(record)
        bytes.append(contentsOf: writer.bytes)
    }

    package mutating func end(_ bytes: inout [UInt8]) {
        bytes.append("\n]}\n")
    }

    private mutating func write(_ record: RecordDraft) {
        let fix = record.fix
        writer.member(#"{"type":"Feature","id":"#, record.id.description)
        writer.raw(#","geometry":{"type":"Point","coordinates":["#)
        writer.number(fix.coordinate.longitude, decimals: 9)
        writer.raw(",")
        writer.number(fix.coordinate.latitude, decimals: 9)
        if let height = fix.ellipsoidalAltitude {
            writer.raw(",")
            writer.number(height, decimals: 3)
        }
        writer.raw(#"]},"properties":{"timestamp":"#)
        var time: [UInt8] = []
        time.appendExact(fix.time)
        writer.string(String(decoding: time, as: UTF8.self))
        writeMeasurements(of: fix)
        writer.member(#","is_moving":"#, record.isMoving)
        writer.member(#","event":"#, record.event?.name)
        if let activity = record.activity {
            writer.raw(#","motion":["#)
            writer.string(activity.activity.name)
            writer.raw("]")
        }
        writer.member(#","odometer":"#, record.odometer)
        writer.member(#","source":"#, record.source.rawValue)
        writer.member(#","battery_level":"#, record.host?.batteryLevel)
        if let host = record.host, host.tellsOfBattery { writer.member(#","battery_state":"#, host.batteryState.name) }
        writer.member(#","wifi":"#, record.host?.wifi?.ssid)
        writer.raw("}}")
    }

    private mutating func writeMeasurements(of fix: Fix) {
        writer.member(#","horizontal_accuracy":"#, fix.horizontalAccuracy)
        writer.member(#","altitude":"#, fix.altitude)
        writer.member(#","ellipsoidal_altitude":"#, fix.ellipsoidalAltitude)
        writer.member(#","vertical_accuracy":"#, fix.verticalAccuracy)
        writer.member(#","speed":"#, fix.speed)
        writer.member(#","speed_accuracy":"#, fix.speedAccuracy)
        writer.member(#","course":"#, fix.course)
        writer.member(#","course_accuracy":"#, fix.courseAccuracy)
        writer.member(#","mode":"#, fix.mode?.rawValue)
        writer.member(#","satellites":"#, fix.satellitesUsed)
    }
}
