import TrackEngine
import TrackEngineSettings

/// The kind of events that a command is about: visits or trips.
protocol EventSubject {
    associatedtype Event: Identifiable<EventID>

    static var kind: RecordKind { get }
    /// The events of this kind.
    static func events(of all: (visits: [Visit], trips: [Trip])) -> [Event]
    /// The beginning and the end of an event.
    static func span(of event: Event) -> (from: Timestamp, to: Timestamp?)
    /// An event as a line of text.
    static func line(_ event: Event) -> String
    static func content(_ event: Event) -> RecordContent
}

enum VisitSubject: EventSubject {
    static let kind = RecordKind.visit

    static func events(of all: (visits: [Visit], trips: [Trip])) -> [Visit] { all.visits }

    static func span(of visit: Visit) -> (from: Timestamp, to: Timestamp?) { (visit.arrival, visit.departure) }

    static func line(_ visit: Visit) -> String {
        let place = visit.place?.name ?? "at no named place"
        return "\(EventText.time(visit.arrival))  \(EventText.span(visit.arrival, visit.departure)), "
            + "\(place)  \(EventText.mark(visit.id))"
    }

    static func content(_ visit: Visit) -> RecordContent { .visit(visit) }
}

enum TripSubject: EventSubject {
    static let kind = RecordKind.trip

    static func events(of all: (visits: [Visit], trips: [Trip])) -> [Trip] { all.trips }

    static func span(of trip: Trip) -> (from: Timestamp, to: Timestamp?) { (trip.start.time, trip.end?.time) }

    static func line(_ trip: Trip) -> String {
        let ends = [Optional(trip.start), trip.end].map { $0?.place?.name ?? ($0 == nil ? "…" : "?") }
        // The record of a trip under way was made when it began: its distance is not that of now.
        let distance = trip.end == nil ? "" : "\(EventText.kilometres(trip.distance)), "
        return "\(EventText.time(trip.start.time))  \(EventText.span(trip.start.time, trip.end?.time)), "
            + distance + "\(trip.mode.name), "
            + "\(ends.joined(separator: " to "))  \(EventText.mark(trip.id))"
    }

    static func content(_ trip: Trip) -> RecordContent { .trip(trip) }
}

/// Texts for the figures of events.
enum EventText {
    /// `2026-03-01 10:00:30`, in UTC.
    static func time(_ time: Timestamp) -> String {
        let whole = time.rfc3339(.seconds)
        return "\(whole.prefix(10)) \(whole.dropFirst(11).prefix(8))"
    }

    /// `1 h 05 min`, from one moment to another; `so far` while there is no end.
    static func span(_ from: Timestamp, _ to: Timestamp?) -> String {
        guard let to else { return "so far" }
        let minutes = Int(to.duration(since: from) / .seconds(60))
        let rest = minutes % 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min"
    }

    /// `12.3 km`
    static func kilometres(_ metres: Double) -> String {
        var bytes: [UInt8] = []
        bytes.appendFixed(metres / 1000, decimals: 1)
        return String(decoding: bytes, as: UTF8.self) + " km"
    }

    /// The beginning of an id, which identifies the event in commands.
    static func mark(_ id: EventID) -> String { String(id.description.prefix(8)) }
}
