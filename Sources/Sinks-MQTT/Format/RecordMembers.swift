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
        writer.raw(#","sequence":"#)
        writer.fixed(record.sequence.rawValue, decimals: 0)
        writer.raw(#","source":"#)
        writer.raw(source)
        writer.raw(#","time":"#)
        writer.time(fix.time, .milliseconds)
        writePosition(fix, &writer)
        writeMovement(fix, &writer)
        writeSolution(fix, &writer)
        writer.raw(record.isMoving ? #","isMoving":true"# : #","isMoving":false"#)
        writer.raw(record.cause.member)
        if let event = record.event { writer.raw(event.member) }
        writer.member(#","odometer":"#, record.odometer)
        if let activity = record.activity {
            writer.raw(activity.activity.member)
            writer.fixed(Int64(activity.confidence), decimals: 0)
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
        if let mode = fix.mode { writer.raw(mode == .threeDimensional ? #","mode":"3d""# : #","mode":"2d""#) }
        if let status = fix.status { writer.raw(status.member) }
        if fix.flags.contains(.simulated) { writer.raw(#","simulated":true"#) }
        if fix.flags.contains(.weekRolloverCorrected) { writer.raw(#","weekRolloverCorrected":true"#) }
    }

    private static func write(_ host: HostStatus, _ writer: inout JSONWriter) {
        if host.tellsOfBattery {
            writer.raw(host.batteryState.member)
            if let level = host.batteryLevel {
                writer.raw(#","level":"#)
                writer.number(level, decimals: 3)
            }
            writer.raw("}")
        }
        guard let wifi = host.wifi else { return }
        writer.raw(#","wifi":{"ssid":"#)
        writer.string(wifi.ssid)
        if let bssid = wifi.bssid {
            writer.raw(#","bssid":"#)
            writer.string(bssid.description)
        }
        writer.raw("}")
    }
}

extension JSONWriter {
    /// Writes a member with a whole number, if there is a value.
    fileprivate mutating func member(_ name: StaticString, _ value: UInt8?) {
        guard let value else { return }
        raw(name)
        fixed(Int64(value), decimals: 0)
    }
}

// MARK: Words

extension RecordCause {
    fileprivate var member: StaticString {
        switch self {
        case .first: #","cause":"first""#
        case .distance: #","cause":"distance""#
        case .elapsed: #","cause":"elapsed""#
        case .still: #","cause":"still""#
        case .departed: #","cause":"departed""#
        case .requested: #","cause":"requested""#
        case .deviation: #","cause":"deviation""#
        case .turn: #","cause":"turn""#
        case .interval: #","cause":"interval""#
        case .resumed: #","cause":"resumed""#
        case .improved: #","cause":"improved""#
        case .detected: #","cause":"detected""#
        }
    }
}

extension RecordEvent {
    fileprivate var member: StaticString {
        switch self {
        case .motionChange: #","event":"motionchange""#
        }
    }
}

extension Activity {
    /// The member up to the value of `confidence`.
    fileprivate var member: StaticString {
        switch self {
        case .unknown: #","activity":{"type":"unknown","confidence":"#
        case .stationary: #","activity":{"type":"stationary","confidence":"#
        case .walking: #","activity":{"type":"walking","confidence":"#
        case .running: #","activity":{"type":"running","confidence":"#
        case .cycling: #","activity":{"type":"cycling","confidence":"#
        case .driving: #","activity":{"type":"driving","confidence":"#
        }
    }
}

extension HostStatus.BatteryState {
    /// The member without its closing brace.
    fileprivate var member: StaticString {
        switch self {
        case .unknown: #","battery":{"state":"unknown""#
        case .unplugged: #","battery":{"state":"unplugged""#
        case .charging: #","battery":{"state":"charging""#
        case .full: #","battery":{"state":"full""#
        }
    }
}

extension Fix.Status {
    fileprivate var member: StaticString {
        switch self {
        case .normal: #","status":"normal""#
        case .differential: #","status":"differential""#
        case .rtkFixed: #","status":"rtkFixed""#
        case .rtkFloat: #","status":"rtkFloat""#
        case .deadReckoning: #","status":"deadReckoning""#
        case .combined: #","status":"combined""#
        case .surveyed: #","status":"surveyed""#
        case .simulated: #","status":"simulated""#
        case .precise: #","status":"precise""#
        }
    }
}
