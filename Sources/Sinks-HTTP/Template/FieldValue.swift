import TrackEngine

/// The value of a field in a record, not yet written in any format.
enum FieldValue: Sendable, Hashable {
    case number(Double, decimals: Int)
    case integer(Int64)
    case flag(Bool)
    case text(String)

    /// The value as plain text without escaping.
    var text: String {
        switch self {
        case .number(let value, let decimals):
            var bytes: [UInt8] = []
            bytes.appendFixed(value, decimals: decimals)
            return String(decoding: bytes, as: UTF8.self)
        case .integer(let value): return "\(value)"
        case .flag(let value): return value ? "true" : "false"
        case .text(let text): return text
        }
    }

    /// The replacement for an unknown number: a number if the text can be read as one.
    static func fallback(_ text: String) -> FieldValue {
        if let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite, abs(number) < 1e12 else { return .text(text) }
        let decimals = text.split(separator: ".").dropFirst().first?.count ?? 0
        return .number(number, decimals: min(decimals, 9))
    }
}

extension FieldReference {
    /// Whether the field's values are numbers.
    var isNumber: Bool {
        switch field {
        case .latitude, .longitude, .altitude, .ellipsoidalAltitude, .accuracy, .verticalAccuracy, .speed,
            .speedAccuracy, .course, .courseAccuracy, .hdop, .pdop, .satellites, .satellitesVisible, .battery,
            .odometer, .count, .sequence, .distance:
            true
        case .time, .batteryState, .charging, .wifi, .bssid, .moving, .activity, .event, .cause, .simulated, .id,
            .source, .device, .records, .kind, .transition, .place, .placeID, .eventID, .begin, .end, .mode:
            false
        }
    }
}

/// The data for a template: one record, or the values that all records of a request share.
struct TemplateSubject: Sendable, Hashable {
    var record: TrackRecord?
    var device: DeviceID
    var count = 1
}

extension FieldReference {
    /// The value; `nil` for unknown.
    func value(of subject: TemplateSubject) -> FieldValue? {
        switch field {
        case .device: text(subject.device.rawValue)
        case .count: .integer(Int64(subject.count))
        case .records: nil  // written by the body, not as a value
        case .latitude, .longitude, .altitude, .ellipsoidalAltitude, .accuracy, .verticalAccuracy, .speed,
            .speedAccuracy, .course, .courseAccuracy, .hdop, .pdop, .satellites, .satellitesVisible, .time, .battery,
            .batteryState, .charging, .wifi, .bssid, .moving, .activity, .event, .cause, .odometer, .simulated, .id,
            .sequence, .source, .kind, .transition, .place, .placeID, .eventID, .begin, .end, .mode, .distance:
            subject.record.flatMap(value(of:))
        }
    }

    private func value(of record: TrackRecord) -> FieldValue? {
        let fix = record.fix
        return switch field {
        case .latitude: number(fix.coordinate.latitude)
        case .longitude: number(fix.coordinate.longitude)
        case .altitude: number(fix.altitude)
        case .ellipsoidalAltitude: number(fix.ellipsoidalAltitude)
        case .accuracy: number(fix.horizontalAccuracy)
        case .verticalAccuracy: number(fix.altitude == nil ? nil : fix.verticalAccuracy)
        case .speed: number(fix.speed)
        case .speedAccuracy: number(fix.speedAccuracy)
        case .course: number(fix.course.map(below360))
        case .courseAccuracy: number(fix.courseAccuracy)
        case .hdop: number(fix.horizontalDilution.map { Double($0) })
        case .pdop: number(fix.positionDilution.map { Double($0) })
        case .satellites: fix.satellitesUsed.map { .integer(Int64($0)) }
        case .satellitesVisible: fix.satellitesVisible.map { .integer(Int64($0)) }
        case .time: time(fix.time)
        case .battery: number(record.host?.batteryLevel)
        case .batteryState: known(record.host?.batteryState).map { text($0.name) }
        case .charging: record.host?.batteryState.hasPower.map(flag)
        case .wifi: record.host?.wifi.map { text($0.ssid) }
        case .bssid: record.host?.wifi?.bssid.map { text($0.description) }
        case .moving: flag(record.isMoving)
        case .activity: record.activity.flatMap { $0.activity == .unknown ? nil : text($0.activity.name) }
        case .event: record.event.map { text($0.name) }
        case .cause: text(record.cause.name)
        case .odometer: number(record.odometer)
        case .simulated: flag(fix.flags.contains(.simulated))
        case .id: text(record.id.description)
        case .sequence: .integer(record.sequence.rawValue)
        case .source: text(record.source.rawValue)
        case .kind, .transition, .place, .placeID, .eventID, .begin, .end, .mode, .distance: value(of: record.content)
        case .device, .count, .records: nil  // values of the request
        }
    }

    /// The value of an event's field; `nil` for a location.
    private func value(of content: RecordContent) -> FieldValue? {
        switch field {
        case .kind: text(content.kind.name)
        case .transition: content.transition.map { text($0.event.name) }
        case .place: content.place.map { text($0.name) }
        case .placeID: content.place.map { text($0.id) }
        case .eventID: content.eventID.map { text($0.description) }
        case .begin: content.begin.map(time)
        case .end: content.end.map(time)
        case .mode: content.trip.map { text($0.mode.name) }
        case .distance: number(content.trip?.distance)
        case _: nil
        }
    }

    private func known(_ state: HostStatus.BatteryState?) -> HostStatus.BatteryState? {
        state == .unknown ? nil : state
    }

    private func number(_ value: Double?) -> FieldValue? {
        value.map { .number($0 * (unit?.factor ?? 1), decimals: decimals) }
    }

    /// A course that would be rounded to 360 is 0.
    private func below360(_ course: Double) -> Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return (course * scale).rounded() / scale < 360 ? course : 0
    }

    private func flag(_ value: Bool) -> FieldValue { unit == .number ? .integer(value ? 1 : 0) : .flag(value) }

    private func text(_ value: String) -> FieldValue { .text(unit == .lower ? value.lowercased() : value) }

    private func time(_ time: Timestamp) -> FieldValue {
        let nanoseconds = time.nanosecondsSince1970
        return switch unit {
        case .isoMilliseconds: .text(time.rfc3339(.milliseconds))
        case .epoch where decimals > 0: .number(Double(nanoseconds) / 1e9, decimals: decimals)
        case .epoch: .integer(time.secondsSince1970)
        case .epochMilliseconds: .integer(nanoseconds / 1_000_000)
        case .epochNanoseconds: .integer(nanoseconds)
        case _: .text(time.rfc3339(.seconds))
        }
    }
}
