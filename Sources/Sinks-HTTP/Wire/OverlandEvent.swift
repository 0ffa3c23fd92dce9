import TrackEngine

/// Encodes the features of the Overland app other than locations: visits, completed trips and actions.
///
/// - A visit has `action` "visit", `arrival_date` and `departure_date`, the latter `null` while it lasts.
/// - A trip has `type` "trip" and both ends as features; like the app, the sink sends it when it is complete.
///   `steps` is 0 because there is no pedometer.
/// - Any other action has the last position and always a geometry, because a missing one would crash receivers.
///
/// `visit_id` and `place` are extensions: the same visit is sent twice, and receivers can recognize it by the id.
/// `trip_id` is the start of the trip, as in the app.
struct OverlandEvent: Sendable {
    private let location: OverlandFeature
    private let precision: Timestamp.Precision

    init(_ location: OverlandFeature, _ precision: Timestamp.Precision) {
        self.location = location
        self.precision = precision
    }

    /// Whether the format has a feature for a record.
    static func hasFeature(_ record: TrackRecord) -> Bool {
        switch record.content {
        case .location, .visit, .action, .heartbeat: true
        case .trip(let trip): trip.end != nil
        case .transition, .power: false
        }
    }

    /// Writes the feature of a record that has one.
    func write(_ record: TrackRecord, _ writer: inout JSONWriter) {
        switch record.content {
        case .location, .heartbeat, .transition, .power: location.write(record, &writer)
        case .visit(let visit): write(visit, record, &writer)
        case .trip(let trip): write(trip, record, &writer)
        case .action(let action): write(action, record, &writer)
        }
    }

    private func write(_ visit: Visit, _ record: TrackRecord, _ writer: inout JSONWriter) {
        begin(at: visit.centre, record.fix.time, &writer)
        writer.member(#","action":"visit","arrival_date":"#, visit.arrival, precision)
        writer.raw(#","departure_date":"#)
        if let departure = visit.departure { writer.time(departure, precision) } else { writer.raw("null") }
        writer.member(#","horizontal_accuracy":"#, max(visit.radius.wholeNumber, 1))
        writer.member(#","visit_id":"#, visit.id.description)
        write(visit.place, &writer)
        location.writeMetadata(of: record, &writer)
        writer.raw("}}")
    }

    private func write(_ trip: Trip, _ record: TrackRecord, _ writer: inout JSONWriter) {
        guard let end = trip.end else { return }
        begin(at: end.coordinate, end.time, &writer)
        writer.member(#","type":"trip","mode":"#, trip.mode.name)
        writer.member(#","start":"#, trip.start.time, precision)
        writer.member(#","end":"#, end.time, precision)
        writer.raw(#","start_location":"#)
        write(trip.start, &writer)
        writer.raw(#","end_location":"#)
        write(end, &writer)
        writer.member(#","duration":"#, end.time.duration(since: trip.start.time) / .seconds(1))
        writer.member(#","distance":"#, trip.distance, decimals: 1)
        writer.member(#","stopped_automatically":"#, trip.endedBy != .requested)
        writer.member(#","steps":0,"trip_id":"#, trip.start.time, precision)
        location.writeMetadata(of: record, &writer)
        writer.raw("}}")
    }

    private func write(_ action: TrackerAction, _ record: TrackRecord, _ writer: inout JSONWriter) {
        begin(at: record.fix.coordinate, record.fix.time, &writer)
        writer.member(#","action":"#, action.name)
        location.writeMetadata(of: record, &writer)
        writer.raw("}}")
    }

    /// Writes a feature up to its first property.
    private func begin(at place: Coordinate, _ time: Timestamp, _ writer: inout JSONWriter) {
        writer.raw(#"{"type":"Feature","geometry":{"type":"Point","coordinates":["#)
        writer.cut(place.longitude, decimals: 7)
        writer.raw(",")
        writer.cut(place.latitude, decimals: 7)
        writer.member(#"]},"properties":{"timestamp":"#, time, precision)
    }

    /// Writes the envelope's object of a running trip, as the app does.
    ///
    /// - Parameter record: The newest record; it supplies the trip's distance and `current_location`.
    func writeRunning(_ trip: CurrentTrip, at record: TrackRecord, _ writer: inout JSONWriter) {
        writer.member(#"{"mode":"#, trip.mode.name)
        writer.member(#","start":"#, trip.start.time, precision)
        writer.member(#","distance":"#, record.odometer.map(trip.distance(at:)) ?? 0)
        writer.raw(#","start_location":"#)
        write(trip.start, &writer)
        writer.raw(#","current_location":"#)
        location.writeAlone(record, &writer)
        writer.raw("}")
    }

    /// Writes one end of a trip as a feature with its time.
    private func write(_ terminus: Trip.End, _ writer: inout JSONWriter) {
        begin(at: terminus.coordinate, terminus.time, &writer)
        write(terminus.place, &writer)
        writer.raw("}}")
    }

    private func write(_ place: PlaceName?, _ writer: inout JSONWriter) {
        guard let place else { return }
        writer.member(#","place":"#, place.name)
    }
}
