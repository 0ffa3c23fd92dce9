/// A record in CalmGeo's format: one JSON object with `id`, `timestamp`, `isMoving`, `event`, `coords` and `activity`,
/// and one additional member, `odometer` in metres. Events, which CalmGeo does not have, and known places and trips
/// also have the members of ``EventMembers``.
///
/// Absent optionals are omitted; unknown numbers that CalmGeo always writes are -1, as its readers expect.
/// `ellipsoidalAltitude` is the real one or omitted, where CalmGeo repeats the altitude.
package enum CalmGeoRecord {
    package static func write(_ record: RecordDraft, to writer: inout JSONWriter) {
        writer.member(#"{"id":"#, record.id.description)
        writer.member(#","timestamp":"#, record.fix.time)
        writer.member(#","isMoving":"#, record.isMoving)
        writer.member(#","event":"#, record.event?.name)
        writer.member(#","odometer":"#, record.odometer)
        writer.raw(#","coords":"#)
        writeCoordinates(of: record.fix, to: &writer)
        if let activity = record.activity {
            writer.member(#","activity":{"type":"#, name(of: activity.activity))
            writer.member(#","confidence":"#, activity.confidence)
            writer.raw("}")
        }
        EventMembers.write(record.content, to: &writer)
        EventMembers.write(record.context, to: &writer)
        writer.raw("}")
    }

    /// Writes the `coords` object of a fix.
    package static func writeCoordinates(of fix: Fix, to writer: inout JSONWriter) {
        writer.member(#"{"latitude":"#, fix.coordinate.latitude, decimals: 9)
        writer.member(#","longitude":"#, fix.coordinate.longitude, decimals: 9)
        writer.member(#","accuracy":"#, fix.horizontalAccuracy ?? -1)
        writer.member(#","speed":"#, fix.speed ?? -1)
        writer.member(#","speedAccuracy":"#, fix.speedAccuracy ?? -1)
        writer.member(#","heading":"#, fix.course ?? -1)
        writer.member(#","headingAccuracy":"#, fix.courseAccuracy ?? -1)
        writer.member(#","altitude":"#, fix.altitude)
        writer.member(#","altitudeAccuracy":"#, fix.verticalAccuracy ?? -1)
        writer.member(#","ellipsoidalAltitude":"#, fix.ellipsoidalAltitude)
        writer.member(#","mock":"#, fix.flags.contains(.simulated))
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
