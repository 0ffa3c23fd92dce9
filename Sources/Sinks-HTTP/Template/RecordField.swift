import TrackEngine

/// A value of a record by its name in templates.
package enum RecordField: String, Sendable, Hashable, CaseIterable {
    case latitude, longitude, altitude, ellipsoidalAltitude, accuracy, verticalAccuracy
    case speed, speedAccuracy, course, courseAccuracy
    case hdop, pdop, satellites, satellitesVisible
    case time, battery, batteryState, charging, wifi, bssid
    case moving, activity, event, cause, odometer, simulated
    case id, sequence, source, device
    /// The kind of the record, and for an event its transition, place, times and mode.
    case kind, transition, place, placeID, eventID, begin, end, mode, distance
    /// The number of records in the request.
    case count
    /// The records of a batch, each in the form of the template for a record.
    case records

    /// The quantity of a field's value, which decides the allowed units.
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

    /// Whether the value is the same for every record of a batch and therefore allowed outside of the records.
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
