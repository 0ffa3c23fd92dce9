import TrackEngine
import TrackEngineHistory

extension JSONWriter {
    /// An event's members without braces: its id, and those of `trackengine.event/1` from `kind` on; a transition has
    /// `time`, too.
    mutating func members(of event: HistoryEvent) {
        raw(#""id":"#)
        string(event.id.description)
        if event.isTransition {
            raw(#","time":"#)
            time(event.begin, .milliseconds)
        }
        EventMembers.write(event.recordContent, to: &self)
    }

    /// `[{"mode","trips","distance","moving"}]`.
    mutating func modes(_ statistics: ModeStatistics) {
        list(statistics.sums) { writer, sum in
            writer.raw(#""mode":"#)
            writer.string(sum.mode.name)
            writer.raw(#","trips":"#)
            writer.integer(sum.trips)
            writer.raw(#","distance":"#)
            writer.number(sum.distance, decimals: 0)
            writer.raw(#","moving":"#)
            writer.integer(sum.moving.components.seconds)
        }
    }

    /// An array of objects; the body writes their members.
    mutating func list<Items: Sequence>(_ items: Items, _ members: (inout JSONWriter, Items.Element) -> Void) {
        raw("[")
        for (index, item) in items.enumerated() {
            raw(index > 0 ? ",{" : "{")
            members(&self, item)
            raw("}")
        }
        raw("]")
    }

    /// `"from":…,"to":…`.
    mutating func times(_ times: Range<Timestamp>) {
        raw(#""from":"#)
        integer(times.lowerBound.secondsSince1970)
        raw(#","to":"#)
        integer(times.upperBound.secondsSince1970)
    }

    /// `"kind":"stop"|"moving"|"gap","from","to"` with the event's `id`, or how many `points` a gap has.
    mutating func segment(_ segment: Timeline.Segment, points: Int?) {
        raw(#""kind":"#)
        switch segment.event?.content {
        case .visit: string("stop")
        case .trip: string("moving")
        case .transition, nil: string("gap")
        }
        raw(",")
        times(segment.times)
        if let event = segment.event {
            raw(#","id":"#)
            string(event.id.description)
        }
        if let points {
            raw(#","points":"#)
            integer(points)
        }
    }

    /// A visit's members.
    mutating func visit(_ visit: Visit, _ timed: TimelineEvent, in span: Range<Timestamp>, isCorrected: Bool) {
        head(timed, in: span, isCorrected)
        raw(#","centre":"#)
        position(visit.centre)
        raw(#","radius":"#)
        number(visit.radius, decimals: 1)
        raw(#","place":"#)
        place(visit.place)
    }

    /// A trip's members with its figures: the mean speed is that while it moved.
    mutating func trip(_ trip: Trip, _ timed: TimelineEvent, in span: Range<Timestamp>, isCorrected: Bool) {
        head(timed, in: span, isCorrected)
        raw(#","mode":"#)
        string(trip.mode.name)
        raw(#","distance":"#)
        number(trip.distance, decimals: 0)
        raw(#","moving":"#)
        integer(trip.movingTime.components.seconds)
        let moving = trip.movingTime / .seconds(1)
        optional(#","meanSpeed":"#, moving > 0 ? trip.distance / moving : nil)
        optional(#","topSpeed":"#, trip.topSpeed)
        optional(#","climb":"#, trip.climb)
        raw(#","start":"#)
        terminus(trip.start)
        raw(#","end":"#)
        if let end = trip.end { terminus(end) } else { raw("null") }
    }

    /// `"id","kind","from","to"` of a rejected visit or trip.
    mutating func rejected(_ timed: TimelineEvent) {
        raw(#""id":"#)
        string(timed.event.id.description)
        raw(#","kind":"#)
        string(timed.event.recordContent.kind.name)
        raw(",")
        times(timed.times)
        exactTimes(timed.event)
    }

    /// `"id","from","to"`, the times `exactFrom` and `exactTo` by which a correction names it, whether it lasts, and
    /// where it reaches beyond the span.
    private mutating func head(_ timed: TimelineEvent, in span: Range<Timestamp>, _ isCorrected: Bool) {
        raw(#""id":"#)
        string(timed.event.id.description)
        raw(",")
        times(timed.times)
        exactTimes(timed.event)
        raw(#","isCorrected":"#)
        boolean(isCorrected)
        raw(#","isOpen":"#)
        boolean(timed.event.isOpen)
        raw(#","startsBefore":"#)
        boolean(timed.times.lowerBound < span.lowerBound)
        raw(#","endsAfter":"#)
        boolean(timed.times.upperBound > span.upperBound)
    }

    private mutating func exactTimes(_ event: HistoryEvent) {
        raw(#","exactFrom":"#)
        time(event.begin, .nanoseconds)
        raw(#","exactTo":"#)
        if let end = event.end { time(end, .nanoseconds) } else { raw("null") }
    }

    private mutating func terminus(_ terminus: Trip.End) {
        raw(#"{"position":"#)
        position(terminus.coordinate)
        raw(#","place":"#)
        place(terminus.place)
        raw("}")
    }

    private mutating func position(_ coordinate: Coordinate) {
        raw("[")
        number(coordinate.longitude, decimals: 6)
        raw(",")
        number(coordinate.latitude, decimals: 6)
        raw("]")
    }

    private mutating func place(_ place: PlaceName?) {
        guard let place else { return raw("null") }
        raw(#"{"id":"#)
        string(place.id)
        raw(#","name":"#)
        string(place.name)
        raw("}")
    }

    private mutating func optional(_ name: StaticString, _ value: Double?) {
        raw(name)
        if let value { number(value, decimals: 2) } else { raw("null") }
    }
}
