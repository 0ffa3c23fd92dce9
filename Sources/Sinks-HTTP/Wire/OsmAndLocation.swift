import TrackEngine

/// Encodes a record as Traccar's newer client does: one object with `device_id` and `location`.
///
/// Traccar requires all members of `coords` that are always written: an unknown `speed`, `heading` or `accuracy` is
/// -1, and an unknown `altitude` is 0 with an `altitude_accuracy` of -1. All other unknown values are left out.
///
/// `uuid`, the record's id, is for receivers that detect duplicates by it; Traccar ignores it.
struct OsmAndLocation: Sendable {
    /// `{"device_id":"…","location":{"timestamp":`, the same in every body.
    private let beginning: [UInt8]

    init(of device: DeviceID) {
        var writer = JSONWriter()
        writer.member(#"{"device_id":"#, device.rawValue)
        writer.raw(#","location":{"timestamp":"#)
        beginning = writer.bytes
    }

    func body(of record: TrackRecord) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.raw(beginning)
        writer.time(record.fix.time, .milliseconds)
        writer.raw(#","uuid":"#)
        writer.recordID(record.id)
        writeCoordinates(of: record.fix, to: &writer)
        writer.member(#","is_moving":"#, record.isMoving)
        writer.member(#","odometer":"#, record.odometer, decimals: 1)
        if case .transition(let transition) = record.content {
            writer.member(#","event":"#, transition.event.traccarName)
        } else if let event = record.event {
            writer.member(#","event":"#, event.name)
        }
        if record.fix.flags.contains(.simulated) { writer.raw(#","mock":true"#) }
        if let activity = record.activity?.activity, activity != .unknown {
            writer.member(#","activity":{"type":"#, CalmGeoRecord.name(of: activity))
            writer.raw("}")
        }
        writeBattery(record.host, to: &writer)
        writer.raw("}}")
        return writer.bytes
    }

    private func writeCoordinates(of fix: Fix, to writer: inout JSONWriter) {
        writer.member(#","coords":{"latitude":"#, fix.coordinate.latitude, decimals: 7)
        writer.member(#","longitude":"#, fix.coordinate.longitude, decimals: 7)
        writer.member(#","accuracy":"#, fix.horizontalAccuracy ?? -1, decimals: 1)
        writer.member(#","speed":"#, fix.speed ?? -1, decimals: 2)
        writer.member(#","heading":"#, fix.courseInTenths ?? -1, decimals: 1)
        writer.member(#","altitude":"#, fix.altitude ?? 0, decimals: 1)
        writer.member(#","altitude_accuracy":"#, fix.altitude == nil ? -1 : fix.verticalAccuracy, decimals: 1)
        writer.raw("}")
    }

    /// Writes the battery if its level is known: the format has no value for an unknown level.
    private func writeBattery(_ host: HostStatus?, to writer: inout JSONWriter) {
        guard let host, let level = host.batteryLevel else { return }
        writer.member(#","battery":{"level":"#, level, decimals: 2)
        writer.member(#","is_charging":"#, host.batteryState.hasPower)
        writer.raw("}")
    }
}
