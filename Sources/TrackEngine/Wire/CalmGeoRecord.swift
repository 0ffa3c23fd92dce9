/// A record in CalmGeo's format: one JSON object with `id`, `timestamp`, `isMoving`, `event`, `coords` and `activity`,
/// and one additional member, `odometer` in metres. Events, which CalmGeo does not have, and known places and trips
/// also have the members of ``EventMembers``.
///
/// Absent optionals are omitted; unknown numbers that CalmGeo always writes are -1, as its readers expect.
/// `ellipsoidalAltitude` is the real one or omitted, where CalmGeo repeats the altitude.
package enum CalmGeoRecord {
    /// Writes a record.
    package static func write(_ record: RecordDraft, to writer: inout JSONWriter) {
        writer.raw(#"{"id":"#)
        writer.string(record.id.description)
        writer.raw(#","timestamp":"#)
        writer.time(record.fix.time, .milliseconds)
        writer.raw(#","isMoving":"#)
        writer.boolean(record.isMoving)
        if let event = record.event {
            writer.raw(#","event":"#)
            writer.string(event.name)
        }
        if let odometer = record.odometer {
            writer.raw(#","odometer":"#)
            writer.number(odometer, decimals: 3)
        }
        writer.raw(#","coords":"#)
        writeCoordinates(of: record.fix, to: &writer)
        if let activity = record.activity {
            writer.raw(#","activity":{"type":"#)
            writer.string(name(of: activity.activity))
            writer.raw(#","confidence":"#)
            writer.integer(activity.confidence)
            writer.raw("}")
        }
        EventMembers.write(record.content, to: &writer)
        EventMembers.write(record.context, to: &writer)
        writer.raw("}")
    }

    /// Writes the `coords` object of a fix.
    package static func writeCoordinates(of fix: Fix, to writer: inout JSONWriter) {
        writer.raw(#"{"latitude":"#)
        writer.number(fix.coordinate.latitude, decimals: 9)
        writer.raw(#","longitude":"#)
        writer.number(fix.coordinate.longitude, decimals: 9)
        writer.raw(#","accuracy":"#)
        writer.number(fix.horizontalAccuracy ?? -1, decimals: 3)
        writer.raw(#","speed":"#)
        writer.number(fix.speed ?? -1, decimals: 3)
        writer.raw(#","speedAccuracy":"#)
        writer.number(fix.speedAccuracy ?? -1, decimals: 3)
        writer.raw(#","heading":"#)
        writer.number(fix.course ?? -1, decimals: 3)
        writer.raw(#","headingAccuracy":"#)
        writer.number(fix.courseAccuracy ?? -1, decimals: 3)
        if let altitude = fix.altitude {
            writer.raw(#","altitude":"#)
            writer.number(altitude, decimals: 3)
        }
        writer.raw(#","altitudeAccuracy":"#)
        writer.number(fix.verticalAccuracy ?? -1, decimals: 3)
        if let altitude = fix.ellipsoidalAltitude {
            writer.raw(#","ellipsoidalAltitude":"#)
            writer.number(altitude, decimals: 3)
        }
        writer.raw(#","mock":"#)
        writer.boolean(fix.flags.contains(.simulated))
        writer.raw(#","external":false}"#)
    }

    /// Returns CalmGeo's name of an activity, which Traccar's clients use, too.
    package static func name(of activity: Activity) -> String {
        switch activity {
        case .unknown: "unknown"
        case .stationary: "still"
        case .walking: "walking"
        case .running: "running"
        case .cycling: "on_bicycle"
        case .driving: "in_vehicle"
        }
    }
}
