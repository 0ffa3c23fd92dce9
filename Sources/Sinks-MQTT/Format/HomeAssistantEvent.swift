import TrackEngine

/// An event in the form of Home Assistant's event entity: `{"event_type":"enter","place":"Depot",…}`. It is not
/// retained, because a retained event would occur again with each start of Home Assistant.
enum HomeAssistantEvent {
    /// The event types declared for the entity.
    static let types = ["enter", "leave", "dwell", "arrival", "departure", "trip_start", "trip_end"]
    /// The kinds of record that an event entity can show.
    static let kinds: RecordKinds = [.transition, .visit, .trip]

    /// The payload for the event of a record; `nil` for a kind that is not in ``kinds``.
    static func payload(of record: TrackRecord) -> [UInt8]? {
        guard let (type, place) = event(record.content) else { return nil }
        var writer = JSONWriter(capacity: 256)
        writer.member(#"{"event_type":"#, type)
        if let place {
            writer.member(#","place":"#, place.name)
            writer.member(#","place_id":"#, place.id)
        }
        if case .trip(let trip) = record.content {
            writer.member(#","mode":"#, trip.mode.name)
            writer.member(#","distance":"#, trip.distance, decimals: 0)
        }
        writer.member(#","time":"#, record.fix.time)
        writer.raw("}")
        return writer.bytes
    }

    private static func event(_ content: RecordContent) -> (type: String, place: PlaceName?)? {
        switch content {
        case .transition(let transition): (transition.event.name, transition.place)
        case .visit(let visit): (visit.departure == nil ? "arrival" : "departure", visit.place)
        case .trip(let trip):
            if let end = trip.end { ("trip_end", end.place) } else { ("trip_start", trip.start.place) }
        case .location, .action, .heartbeat, .power: nil
        }
    }
}
