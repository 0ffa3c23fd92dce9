import Foundation
import TrackEngine

enum Samples {
    static let time = Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 987_654_321)

    /// A fix of which everything is known.
    static let fix = Fix(
        time: time, coordinate: Coordinate(latitude: 53.550_332_1, longitude: -9.987_123_4), altitude: 12.4,
        ellipsoidalAltitude: 56.1, horizontalAccuracy: 4.6, verticalAccuracy: 7.5, speed: 13.2, speedAccuracy: 0.5,
        course: 90.4, courseAccuracy: 2.5, horizontalDilution: 0.8, positionDilution: 1.2, satellitesUsed: 9,
        satellitesVisible: 14, mode: .threeDimensional, status: .differential, activity: .cycling,
        flags: [.simulated, .weekRolloverCorrected])

    /// A record of which everything is known.
    static let record = TrackRecord(
        sequence: RecordSequence(rawValue: 1042),
        draft: RecordDraft(
            id: RecordID(device: "van-7", source: "gpsd", fix: fix, cause: .departed), fix: fix, isMoving: true,
            event: .motionChange, cause: .departed, activity: ActivityEstimate(.driving, confidence: 67),
            source: "gpsd", host: HostStatus(batteryLevel: 0.63, batteryState: .charging), odometer: 18_342.6))

    /// A record of which only what must be is known.
    static let barest = TrackRecord(
        sequence: RecordSequence(rawValue: 1),
        draft: RecordDraft(
            id: RecordID(rawValue: 7), fix: Fix(time: time, coordinate: Coordinate(latitude: 0, longitude: 180)),
            isMoving: false, cause: .first, source: "", host: HostStatus(batteryLevel: nil, batteryState: .unknown)))

    /// A value, encoded and decoded again.
    static func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
}

extension Samples {
    static let depot = PlaceName(id: "depot", name: "Depot \"Nord\"")

    /// An event of each kind, everything known.
    static let events: [RecordContent] = [
        .visit(
            Visit(
                id: EventID(rawValue: 1), centre: fix.coordinate, radius: 35.5, arrival: time.wholeMilliseconds,
                departure: time.wholeMilliseconds, place: depot, endedBy: .recording)),
        .trip(
            Trip(
                id: EventID(rawValue: 2), mode: .bicycle,
                start: Trip.End(time: time.wholeMilliseconds, coordinate: fix.coordinate, place: depot),
                end: Trip.End(time: time.wholeMilliseconds, coordinate: fix.coordinate), distance: 1250.5,
                movingTime: .seconds(61), topSpeed: 9.5, climb: 12, startedBy: .automatic, endedBy: .gap)),
        .transition(
            Transition(
                event: .enter, place: depot, centre: fix.coordinate, radius: 150, created: time.wholeMilliseconds)),
        .action(.resumed), .heartbeat, .power,
    ]

    /// At a place, and on a trip.
    static let context = RecordContext(
        places: [depot, PlaceName(id: "city", name: "City")],
        trip: CurrentTrip(
            id: EventID(rawValue: 3), mode: .tram,
            start: Trip.End(time: time.wholeMilliseconds, coordinate: fix.coordinate, place: depot),
            startedBy: .requested, odometerAtStart: 1200.5))

    static func record(in context: RecordContext?) -> TrackRecord {
        TrackRecord(
            sequence: RecordSequence(rawValue: 8),
            draft: RecordDraft(
                id: RecordID(device: "van-7", source: "gpsd", fix: fix, cause: .distance), fix: fix, isMoving: true,
                cause: .distance, source: "gpsd", context: context))
    }

    static func record(_ content: RecordContent) -> TrackRecord {
        TrackRecord(
            sequence: RecordSequence(rawValue: 7),
            draft: RecordDraft(
                id: RecordID(device: "van-7", source: "gpsd", fix: fix, content: content), fix: fix, isMoving: false,
                cause: .detected, source: "gpsd", content: content))
    }
}

extension Timestamp {
    fileprivate var wholeMilliseconds: Timestamp {
        Timestamp(nanosecondsSince1970: nanosecondsSince1970 / 1_000_000 * 1_000_000)
    }
}
