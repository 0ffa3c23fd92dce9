import TrackEngine

/// One event of each kind, with names that have to be escaped.
extension Samples {
    private static let depot = PlaceName(id: "depot", name: "Depot \"Nord\"")
    private static let start = Trip.End(
        time: minimal.fix.time, coordinate: minimal.fix.coordinate, place: depot)
    private static let end = Trip.End(time: full.fix.time, coordinate: full.fix.coordinate)

    static let events: [TrackRecord] = [
        .visit(visit(nil)), .visit(visit(rest.fix.time)), .trip(trip(nil)), .trip(trip(end)),
        .transition(transition(.enter, created: minimal.fix.time)), .transition(transition(.leave, created: nil)),
        .transition(transition(.dwell, created: nil)), .action(.paused), .heartbeat, .power,
    ].enumerated().map { event($0.offset, $0.element) }

    /// A place whose name has letters of two and of four bytes.
    static let truckStop = PlaceName(id: "zü🚚", name: "Zürich 🚚")

    /// A position there, and the arrival.
    static let foreign: [TrackRecord] = [
        located(RecordContext(places: [truckStop])),
        event(
            20,
            .transition(Transition(event: .enter, place: truckStop, centre: minimal.fix.coordinate, radius: 150))),
    ]

    /// Positions at two places, on a trip, and both.
    static let located: [TrackRecord] = [
        located(RecordContext(places: [depot, PlaceName(id: "city", name: "City")])),
        located(RecordContext(places: [], trip: current)), located(RecordContext(places: [depot], trip: current)),
    ]

    private static let current = CurrentTrip(
        id: EventID(rawValue: 3), mode: .tram, start: start, startedBy: .requested, odometerAtStart: 2)

    private static func located(_ context: RecordContext?) -> TrackRecord {
        let draft = RecordDraft(
            id: RecordID(rawValue: 0x00112233_44558677_8899aabb_ccddeeaa), fix: full.fix, isMoving: true,
            cause: .distance, source: "gpsd", odometer: 1250.75, context: context)
        return TrackRecord(sequence: RecordSequence(rawValue: 200), draft: draft)
    }

    private static func event(_ place: Int, _ content: RecordContent) -> TrackRecord {
        let draft = RecordDraft(
            id: RecordID(rawValue: 0x00112233_44558677_8899aabb_ccddef00 + UInt128(place)), fix: full.fix,
            isMoving: false, cause: .detected, source: "gpsd",
            host: HostStatus(batteryLevel: 0.5, batteryState: .charging), odometer: 12, content: content)
        return TrackRecord(sequence: RecordSequence(rawValue: Int64(100 + place)), draft: draft)
    }

    private static func visit(_ departure: Timestamp?) -> Visit {
        Visit(
            id: EventID(rawValue: 1), centre: minimal.fix.coordinate, radius: 35.25, arrival: minimal.fix.time,
            departure: departure, place: depot)
    }

    private static func trip(_ end: Trip.End?) -> Trip {
        Trip(
            id: EventID(rawValue: 2), mode: .bicycle, start: start, end: end, distance: 1250.55,
            movingTime: .milliseconds(61_500), topSpeed: 9.5, climb: 12, startedBy: .automatic,
            endedBy: end.map { _ in .gap })
    }

    private static func transition(_ event: Transition.Event, created: Timestamp?) -> Transition {
        Transition(event: event, place: depot, centre: minimal.fix.coordinate, radius: 150, created: created)
    }
}
