import Foundation
import TestSupport
import TrackEngine

/// What one consumer has of a record of the day.
struct DayArrival: Hashable {
    let id: String
    /// The event that it told of; `nil` for a position.
    let event: SimulatedDay.Event?

    /// Each record at its first arrival.
    static func withoutRepetitions(_ arrivals: [DayArrival]) -> [DayArrival] {
        var seen: Set<String> = []
        return arrivals.filter { seen.insert($0.id).inserted }
    }
}

/// A message of the broker's with its payload read.
struct DayMessage {
    let message: SubscriberProcess.Message
    let payload: JSONValue
    /// The same, for the models of consumers.
    let object: [String: Any]

    init?(_ message: SubscriberProcess.Message) {
        guard let payload = try? JSONValue.parse(message.payload.utf8),  // such as the word of the presence
            let object = try? JSONSerialization.jsonObject(with: Data(message.payload.utf8)) as? [String: Any]
        else { return nil }
        (self.message, self.payload, self.object) = (message, payload, object)
    }

    func property(_ name: String) -> String? { message.properties.first { $0.first == name }?.last }

    private var id: String? { property("record-id") }

    /// A record of our own schemas.
    var own: DayArrival? {
        guard let id, message.topic.hasPrefix("fleet/van-7/") else { return nil }
        return DayArrival(id: id, event: SimulatedDay.Event(own: payload))
    }

    /// A record as OwnTracks' consumers have it. A dwell, of which it has no message, is a location about a region.
    var ownTracks: DayArrival? {
        guard let id, message.topic.hasPrefix("owntracks/") else { return nil }
        let words: (String, String)? =
            switch (payload["_type"]?.string, payload["t"]?.string) {
            case ("transition", _): (payload["event"]?.string ?? "", payload["desc"]?.string ?? "")
            case ("location", "p"): ("heartbeat", "")
            case ("location", "c"): ("dwell", payload["inregions"]?.array?.last?.string ?? "")
            default: nil
            }
        return DayArrival(id: id, event: words.map { SimulatedDay.Event(what: $0.0, place: $0.1) })
    }

    /// An event as Home Assistant's event entity takes it; those of a backlog are where nobody follows.
    var homeAssistantEvent: DayArrival? {
        guard let id, property("schema") == "homeassistant.event" else { return nil }
        return DayArrival(
            id: id,
            event: SimulatedDay.Event(
                what: payload["event_type"]?.string ?? "", place: payload["place"]?.string ?? ""))
    }
}

extension SimulatedDay.Event {
    /// Reads `trackengine.event/1`; `nil` for a position.
    fileprivate init?(own json: JSONValue) {
        func time(_ value: JSONValue?) -> Timestamp? { value?.string.flatMap(Timestamp.init(rfc3339:)) }
        switch json["kind"]?.string {
        case "heartbeat": self.init(what: "heartbeat", place: "", time: time(json["time"]))
        case "transition":
            let transition = json["transition"]
            self.init(
                what: transition?["event"]?.string ?? "", place: transition?["place"]?["name"]?.string ?? "",
                time: time(json["time"]))
        case "visit":
            let visit = json["visit"]
            let isOpen = visit?["departure"] == nil
            self.init(
                what: isOpen ? "arrival" : "departure", place: visit?["place"]?["name"]?.string ?? "",
                time: time(visit?[isOpen ? "arrival" : "departure"]))
        case "trip":
            let (start, end) = (json["trip"]?["start"], json["trip"]?["end"])
            self.init(
                what: end == nil ? "trip_start" : "trip_end", place: (end ?? start)?["place"]?["name"]?.string ?? "",
                from: end == nil ? nil : start?["place"]?["name"]?.string ?? "", time: time((end ?? start)?["time"]))
        default: return nil
        }
    }

    /// Reads Overland's features of visits and trips; `nil` for any other, also a heartbeat, which is a location there.
    init?(overland properties: JSONValue) {
        switch (properties["action"]?.string, properties["type"]?.string) {
        case ("visit", _):
            self.init(
                what: properties["departure_date"]?.string == nil ? "arrival" : "departure",
                place: properties["place"]?.string ?? "")
        case (_, "trip"):
            func place(_ end: String) -> String { properties[end]?["properties"]?["place"]?.string ?? "" }
            self.init(what: "trip_end", place: place("end_location"), from: place("start_location"))
        default: return nil
        }
    }
}
