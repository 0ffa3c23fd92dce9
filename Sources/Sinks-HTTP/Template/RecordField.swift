import TrackEngine

/// A fact of a record by the name that it has in templates.
package enum RecordField: String, Sendable, Hashable, CaseIterable {
    case latitude, longitude, altitude, ellipsoidalAltitude, accuracy, verticalAccuracy
    case speed, speedAccuracy, course, courseAccuracy
    case hdop, pdop, satellites, satellitesVisible
    case time, battery, batteryState, charging, wifi, bssid
    case moving, activity, event, cause, odometer, simulated
    case id, sequence, source, device
    /// What the record tells, and of an event which one, where, when and how.
    case kind, transition, place, placeID, eventID, begin, end, mode, distance
    /// How many records the request has.
    case count
    /// The records of a batch, each as the template for a record says.
    case records
}

extension RecordField {
    /// What a field's value is, and with it the units in which it can be written.
    enum Quantity: Sendable {
        case degrees, angle, length, speed, ratio, share, count, time, flag, text, records
    }

    var quantity: Quantity {
        switch self {
        case .latitude, .longitude: .degrees
        case .course, .courseAccuracy: .angle
        case .altitude, .ellipsoidalAltitude, .accuracy, .verticalAccuracy, .odometer, .distance: .length
        case .speed, .speedAccuracy: .speed
        case .hdop, .pdop: .ratio
        case .battery: .share
        case .satellites, .satellitesVisible, .sequence, .count: .count
        case .time, .begin, .end: .time
        case .charging, .moving, .simulated: .flag
        case .batteryState, .wifi, .bssid, .activity, .event, .cause, .id, .source, .device, .kind, .transition, .place,
            .placeID,
            .eventID, .mode:
            .text
        case .records: .records
        }
    }

    /// Whether the value is the same for every record of a batch, so that it can stand outside of them.
    var isOfRequest: Bool {
        switch self {
        case .device, .count, .records: true
        case .latitude, .longitude, .altitude, .ellipsoidalAltitude, .accuracy, .verticalAccuracy, .speed,
            .speedAccuracy, .course, .courseAccuracy, .hdop, .pdop, .satellites, .satellitesVisible, .time, .battery,
            .batteryState, .charging, .wifi, .bssid, .moving, .activity, .event, .cause, .odometer, .simulated, .id,
            .sequence,
            .source, .kind, .transition, .place, .placeID, .eventID, .begin, .end, .mode, .distance:
            false
        }
    }
}
