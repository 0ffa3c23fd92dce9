extension JSONWriter {
    /// Writes the content of an event's record as members of a JSON object, each with a comma before it: `kind`, such as
    /// `visit`, and a member of that name with the details. Nothing for a location.
    public mutating func event(_ content: RecordContent) { EventMembers.write(content, to: &self) }
}

/// Writes the content of an event's record as members of a JSON object: `kind`, and a member of that name with the
/// details.
///
/// Units are SI, times RFC 3339 with milliseconds; unknown values are omitted. `TrackEngineIntegrations` reads the same
/// members.
package enum EventMembers {
    /// Writes the members, each with a comma before it; none for a location.
    package static func write(_ content: RecordContent, to writer: inout JSONWriter) {
        guard content.kind != .location else { return }
        writer.member(#","kind":"#, content.kind.name)
        switch content {
        case .location, .heartbeat, .power: break
        case .visit(let visit): write(visit, &writer)
        case .trip(let trip): write(trip, &writer)
        case .transition(let transition): write(transition, &writer)
        case .action(let action): writer.member(#","action":"#, action.name)
        }
    }

    /// Writes `places` and `onTrip` with a comma before each; neither without a context.
    package static func write(_ context: RecordContext?, to writer: inout JSONWriter) {
        guard let context else { return }
        if !context.places.isEmpty {
            writer.raw(#","places":"#)
            writer.array(context.places) { $0.name(of: $1) }
        }
        guard let trip = context.trip else { return }
        writer.member(#","onTrip":{"id":"#, trip.id.description)
        writer.member(#","mode":"#, trip.mode.name)
        writer.terminus(#","start":"#, trip.start)
        writer.member(#","startedBy":"#, trip.startedBy.name)
        writer.member(#","odometerAtStart":"#, trip.odometerAtStart)
        writer.raw("}")
    }

    private static func write(_ visit: Visit, _ writer: inout JSONWriter) {
        writer.member(#","visit":{"id":"#, visit.id.description)
        writer.position(visit.centre)
        writer.member(#","radius":"#, visit.radius)
        writer.member(#","arrival":"#, visit.arrival)
        writer.member(#","departure":"#, visit.departure)
        writer.place(visit.place)
        writer.member(#","endedBy":"#, visit.endedBy?.name)
        writer.raw("}")
    }

    private static func write(_ trip: Trip, _ writer: inout JSONWriter) {
        writer.member(#","trip":{"id":"#, trip.id.description)
        writer.member(#","mode":"#, trip.mode.name)
        writer.terminus(#","start":"#, trip.start)
        if let end = trip.end { writer.terminus(#","end":"#, end) }
        writer.member(#","distance":"#, trip.distance)
        writer.member(#","movingTime":"#, trip.movingTime / .seconds(1))
        writer.member(#","topSpeed":"#, trip.topSpeed)
        writer.member(#","climb":"#, trip.climb)
        writer.member(#","startedBy":"#, trip.startedBy.name)
        writer.member(#","endedBy":"#, trip.endedBy?.name)
        writer.raw("}")
    }

    private static func write(_ transition: Transition, _ writer: inout JSONWriter) {
        writer.member(#","transition":{"event":"#, transition.event.name)
        writer.place(transition.place)
        writer.position(transition.centre)
        writer.member(#","radius":"#, transition.radius)
        writer.member(#","created":"#, transition.created)
        writer.raw("}")
    }
}

extension JSONWriter {
    fileprivate mutating func place(_ place: PlaceName?) {
        guard let place else { return }
        raw(#","place":"#)
        name(of: place)
    }

    fileprivate mutating func name(of place: PlaceName) {
        member(#"{"id":"#, place.id)
        member(#","name":"#, place.name)
        raw("}")
    }

    fileprivate mutating func terminus(_ name: StaticString, _ terminus: Trip.End) {
        raw(name)
        member(#"{"time":"#, terminus.time)
        position(terminus.coordinate)
        place(terminus.place)
        raw("}")
    }
}
