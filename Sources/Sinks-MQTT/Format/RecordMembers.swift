import TrackEngine

/// Writes the known values of a record as members of a JSON object, in SI units; unknown values are omitted.
///
/// The schema is described in the catalogue's article "The record message"; a change beyond a new member requires a
/// new version.
enum RecordMembers {
    /// The largest size of a record in bytes, without names of sources; only a hint for buffers.
    static let room = 640

    /// Writes the members after `id`, each with a comma before it.
    static func write(_ record: TrackRecord, source: [UInt8], to writer: inout JSONWriter) {
        let fix = record.fix
        writer.member(#","sequence":"#, record.sequence.rawValue)
        writer.raw(#","source":"#)
        writer.raw(source)
        writer.member(#","time":"#, fix.time)
        writePosition(fix, &writer)
        writeMovement(fix, &writer)
        writeSolution(fix, &writer)
        writer.member(#","isMoving":"#, record.isMoving)
        writer.member(#","cause":"#, record.cause.name)
        writer.member(#","event":"#, record.event?.name)
        writer.member(#","odometer":"#, record.odometer)
        if let activity = record.activity {
            writer.member(#","activity":{"type":"#, activity.activity.name)
            writer.member(#","confidence":"#, activity.confidence)
            writer.raw("}")
        }
        if let host = record.host { write(host, &writer) }
        EventMembers.write(record.context, to: &writer)
    }

    private static func writePosition(_ fix: Fix, _ writer: inout JSONWriter) {
        if fix.coordinate.isValid { writer.position(fix.coordinate) }
        writer.member(#","altitude":"#, fix.altitude)
        writer.member(#","ellipsoidalAltitude":"#, fix.ellipsoidalAltitude)
        writer.member(#","horizontalAccuracy":"#, fix.horizontalAccuracy)
        writer.member(#","verticalAccuracy":"#, fix.verticalAccuracy)
    }

    private static func writeMovement(_ fix: Fix, _ writer: inout JSONWriter) {
        writer.member(#","speed":"#, fix.speed)
        writer.member(#","speedAccuracy":"#, fix.speedAccuracy)
        // 359.9996 must not round to 360, which is out of range.
        writer.member(#","course":"#, fix.course.map { $0 < 359.999_5 ? $0 : 0 })
        writer.member(#","courseAccuracy":"#, fix.courseAccuracy)
    }

    private static func writeSolution(_ fix: Fix, _ writer: inout JSONWriter) {
        writer.member(#","hdop":"#, fix.horizontalDilution.map(Double.init))
        writer.member(#","pdop":"#, fix.positionDilution.map(Double.init))
        writer.member(#","satellitesUsed":"#, fix.satellitesUsed)
        writer.member(#","satellitesVisible":"#, fix.satellitesVisible)
        writer.member(#","mode":"#, fix.mode?.name)
        writer.member(#","status":"#, fix.status?.name)
        if fix.flags.contains(.simulated) { writer.raw(#","simulated":true"#) }
        if fix.flags.contains(.weekRolloverCorrected) { writer.raw(#","weekRolloverCorrected":true"#) }
    }

    private static func write(_ host: HostStatus, _ writer: inout JSONWriter) {
        if host.tellsOfBattery {
            writer.member(#","battery":{"state":"#, host.batteryState.name)
            writer.member(#","level":"#, host.batteryLevel)
            writer.raw("}")
        }
        guard let wifi = host.wifi else { return }
        writer.member(#","wifi":{"ssid":"#, wifi.ssid)
        writer.member(#","bssid":"#, wifi.bssid?.description)
        writer.raw("}")
    }
}
