import TrackEngine
import TrackEngineHistory

extension Samples {
    /// So many seconds after ``start``.
    static func time(_ seconds: Int) -> Timestamp { start.advanced(by: .seconds(seconds)) }

    /// A stay from so many seconds after ``start`` on.
    static func visit(
        _ arrival: Int, to departure: Int? = nil, at place: PlaceName? = nil, by trigger: Trip.Reason? = nil
    ) -> HistoryEvent {
        HistoryEvent(
            Visit(
                id: EventID(device: device, kind: .visit, beginning: time(arrival)),
                centre: Coordinate(latitude: 53.55, longitude: 9.99), radius: 35.25, arrival: time(arrival),
                departure: departure.map(time), place: place, endedBy: trigger))
    }

    /// A trip from so many seconds after ``start`` on.
    static func trip(_ begin: Int, to end: Int? = nil, mode: TripMode = .car, distance: Double = 1200) -> HistoryEvent {
        func terminus(_ seconds: Int) -> Trip.End {
            Trip.End(
                time: time(seconds), coordinate: Coordinate(latitude: 53.5, longitude: 10),
                place: PlaceName(id: "depot", name: "Dépôt"))
        }
        return HistoryEvent(
            Trip(
                id: EventID(device: device, kind: .trip, beginning: time(begin)), mode: mode, start: terminus(begin),
                end: end.map(terminus), distance: distance, movingTime: .milliseconds(90_500), topSpeed: 13.25,
                climb: end == nil ? nil : 41.5, startedBy: .automatic, endedBy: end == nil ? nil : .gap))
    }

    /// The record by which a sink learns of an event.
    static func record(_ content: RecordContent, _ seconds: Int, latitude: Double = 53.55) -> TrackRecord {
        let fix = Fix(time: time(seconds), coordinate: Coordinate(latitude: latitude, longitude: 9.99))
        let id = RecordID(device: device, source: "gps", fix: fix, content: content)
        return TrackRecord(
            sequence: RecordSequence(rawValue: Int64(seconds)),
            draft: RecordDraft(id: id, fix: fix, isMoving: false, cause: .detected, source: "gps", content: content))
    }

    /// A place that was entered.
    static let transition = Transition(
        event: .enter, place: PlaceName(id: "home", name: "Home"), centre: Coordinate(latitude: 53.55, longitude: 9.99),
        radius: 100, created: time(-5_000))
}
