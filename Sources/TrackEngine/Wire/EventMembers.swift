/// Writes the content of an event's record as members of a JSON object: `kind`, and a member of that name with the
/// details.
///
/// Units are SI, times RFC 3339 with milliseconds; unknown values are omitted. `TrackEngineIntegrations` reads the same
/// members.
package enum EventMembers {
    /// Writes the members, each with a comma before it; none for a location.
    package static func write(_ content: RecordContent, to writer: inout JSONWriter) {
        guard content.kind != .location else { return }
        writer.raw(#","kind":""#)
        writer.raw(content.kind.name.utf8)
        writer.raw(#"""#)
        switch content {
        case .location, .heartbeat, .power: break
        case .visit(let visit): write(visit, &writer)
        case .trip(let trip): write(trip, &writer)
        case .transition(let transition): write(transition, &writer)
        case .action(let action):
            writer.raw(#","action":"#)
            writer.string(action.name)
        }
    }

    /// Writes `places` and `onTrip` with a comma before each; neither without a context.
    package static func write(_ context: RecordContext?, to writer: inout JSONWriter) {
        guard let context else { return }
        for (index, place) in context.places.enumerated() {
            writer.raw(index == 0 ? #","places":["# : ",")
            writer.name(of: place)
        }
        if !context.places.isEmpty { writer.raw("]") }
        guard let trip = context.trip else { return }
        writer.raw(#","onTrip":{"id":"#)
        writer.string(trip.id.description)
        writer.raw(#","mode":"#)
        writer.string(trip.mode.name)
        writer.terminus(#","start":"#, trip.start)
        writer.raw(#","startedBy":"#)
        writer.string(trip.startedBy.name)
        writer.member(#","odometerAtStart":"#, trip.odometerAtStart)
        writer.raw("}")
    }

    private static func write(_ visit: Visit, _ writer: inout JSONWriter) {
        writer.raw(#","visit":{"id":"#)
        writer.string(visit.id.description)
        writer.position(visit.centre)
        writer.member(#","radius":"#, visit.radius)
        writer.member(#","arrival":"#, visit.arrival)
        writer.member(#","departure":"#, visit.departure)
        writer.place(visit.place)
        writer.reason(#","endedBy":"#, visit.endedBy)
        writer.raw("}")
    }

    private static func write(_ trip: Trip, _ writer: inout JSONWriter) {
        writer.raw(#","trip":{"id":"#)
        writer.string(trip.id.description)
        writer.raw(#","mode":"#)
        writer.string(trip.mode.name)
        writer.terminus(#","start":"#, trip.start)
        if let end = trip.end { writer.terminus(#","end":"#, end) }
        writer.member(#","distance":"#, trip.distance)
        writer.member(#","movingTime":"#, trip.movingTime / .seconds(1))
        writer.member(#","topSpeed":"#, trip.topSpeed)
        writer.member(#","climb":"#, trip.climb)
        writer.reason(#","startedBy":"#, trip.startedBy)
        writer.reason(#","endedBy":"#, trip.endedBy)
        writer.raw("}")
    }

    private static func write(_ transition: Transition, _ writer: inout JSONWriter) {
        writer.raw(#","transition":{"event":"#)
        writer.string(transition.event.name)
        writer.place(transition.place)
        writer.position(transition.centre)
        writer.member(#","radius":"#, transition.radius)
        writer.member(#","created":"#, transition.created)
        writer.raw("}")
    }
}

extension JSONWriter {
    fileprivate mutating func reason(_ key: StaticString, _ reason: Trip.Reason?) {
        guard let reason else { return }
        raw(key)
        string(reason.name)
    }

    fileprivate mutating func place(_ place: PlaceName?) {
        guard let place else { return }
        raw(#","place":"#)
        name(of: place)
    }

    fileprivate mutating func name(of place: PlaceName) {
        raw(#"{"id":"#)
        string(place.id)
        raw(#","name":"#)
        string(place.name)
        raw("}")
    }

    fileprivate mutating func terminus(_ name: StaticString, _ terminus: Trip.End) {
        raw(name)
        raw(#"{"time":"#)
        time(terminus.time, .milliseconds)
        position(terminus.coordinate)
        place(terminus.place)
        raw("}")
    }
}
