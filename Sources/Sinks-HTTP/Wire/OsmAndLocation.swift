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
        writer.raw(#"{"device_id":"#)
        writer.string(device.rawValue)
        writer.raw(#","location":{"timestamp":"#)
        beginning = writer.bytes
    }

    /// The body for a record.
    func body(of record: TrackRecord) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.raw(beginning)
        writer.time(record.fix.time, .milliseconds)
        writer.raw(#","uuid":"#)
        writer.recordID(record.id)
        writeCoordinates(of: record.fix, to: &writer)
        writer.raw(#","is_moving":"#)
        writer.boolean(record.isMoving)
        if let odometer = record.odometer {
            writer.raw(#","odometer":"#)
            writer.number(odometer, decimals: 1)
        }
        if case .transition(let transition) = record.content {
            writer.raw(#","event":"#)
            writer.string(transition.event.traccarName)
        } else if let event = record.event {
            writer.raw(#","event":"#)
            writer.string(event.name)
        }
        if record.fix.flags.contains(.simulated) { writer.raw(#","mock":true"#) }
        if let activity = record.activity?.activity, activity != .unknown {
            writer.raw(#","activity":{"type":"#)
            writer.string(CalmGeoRecord.name(of: activity))
            writer.raw("}")
        }
        writeBattery(record.host, to: &writer)
        writer.raw("}}")
        return writer.bytes
    }

    private func writeCoordinates(of fix: Fix, to writer: inout JSONWriter) {
        writer.raw(#","coords":{"latitude":"#)
        writer.number(fix.coordinate.latitude, decimals: 7)
        writer.raw(#","longitude":"#)
        writer.number(fix.coordinate.longitude, decimals: 7)
        writer.raw(#","accuracy":"#)
        writer.number(fix.horizontalAccuracy ?? -1, decimals: 1)
        writer.raw(#","speed":"#)
        writer.number(fix.speed ?? -1, decimals: 2)
        writer.raw(#","heading":"#)
        writer.number(fix.courseInTenths ?? -1, decimals: 1)
        writer.raw(#","altitude":"#)
        writer.number(fix.altitude ?? 0, decimals: 1)
        if let accuracy = fix.altitude == nil ? -1 : fix.verticalAccuracy {
            writer.raw(#","altitude_accuracy":"#)
            writer.number(accuracy, decimals: 1)
        }
        writer.raw("}")
    }

    /// Writes the battery if its level is known: the format has no value for an unknown level.
    private func writeBattery(_ host: HostStatus?, to writer: inout JSONWriter) {
        guard let host, let level = host.batteryLevel else { return }
        writer.raw(#","battery":{"level":"#)
        writer.number(level, decimals: 2)
        if let hasPower = host.batteryState.hasPower {
            writer.raw(#","is_charging":"#)
            writer.boolean(hasPower)
        }
        writer.raw("}")
    }
}
