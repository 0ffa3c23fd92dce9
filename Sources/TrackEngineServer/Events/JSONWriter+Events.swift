import TrackEngine
import TrackEngineHistory

extension JSONWriter {
    /// An event's members without braces: its id, and those of `trackengine.event/1` from `kind` on; a transition has
    /// `time`, too.
    mutating func members(of event: HistoryEvent) {
        member(#""id":"#, event.id.description)
        if event.isTransition { member(#","time":"#, event.begin) }
        EventMembers.write(event.recordContent, to: &self)
    }

    /// `[{"mode","trips","distance","moving"}]`.
    mutating func modes(_ statistics: ModeStatistics) {
        list(statistics.sums) { writer, sum in
            writer.member(#""mode":"#, sum.mode.name)
            writer.member(#","trips":"#, sum.trips)
            writer.member(#","distance":"#, sum.distance, decimals: 0)
            writer.member(#","moving":"#, sum.moving.components.seconds)
        }
    }

    /// An array of objects; the body writes their members.
    mutating func list<Items: Sequence>(_ items: Items, _ members: (inout JSONWriter, Items.Element) -> Void) {
        array(items) { writer, item in
            writer.raw("{")
            members(&writer, item)
            writer.raw("}")
        }
    }

    /// `"from":…,"to":…`.
    mutating func times(_ times: Range<Timestamp>) {
        member(#""from":"#, times.lowerBound.secondsSince1970)
        member(#","to":"#, times.upperBound.secondsSince1970)
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
        member(#","id":"#, segment.event?.id.description)
        member(#","points":"#, points)
    }

    /// A visit's members.
    mutating func visit(_ visit: Visit, _ timed: TimelineEvent, in span: Range<Timestamp>, isCorrected: Bool) {
        head(timed, in: span, isCorrected)
        raw(#","centre":"#)
        axes(visit.centre)
        member(#","radius":"#, visit.radius, decimals: 1)
        raw(#","place":"#)
        place(visit.place)
    }

    /// A trip's members with its figures: the mean speed is that while it moved.
    mutating func trip(_ trip: Trip, _ timed: TimelineEvent, in span: Range<Timestamp>, isCorrected: Bool) {
        head(timed, in: span, isCorrected)
        member(#","mode":"#, trip.mode.name)
        member(#","distance":"#, trip.distance, decimals: 0)
        member(#","moving":"#, trip.movingTime.components.seconds)
        let moving = trip.movingTime / .seconds(1)
        memberOrNull(#","meanSpeed":"#, moving > 0 ? trip.distance / moving : nil, decimals: 2)
        memberOrNull(#","topSpeed":"#, trip.topSpeed, decimals: 2)
        memberOrNull(#","climb":"#, trip.climb, decimals: 2)
        raw(#","start":"#)
        terminus(trip.start)
        raw(#","end":"#)
        if let end = trip.end { terminus(end) } else { raw("null") }
    }

    /// `"id","kind","from","to"` of a rejected visit or trip.
    mutating func rejected(_ timed: TimelineEvent) {
        member(#""id":"#, timed.event.id.description)
        member(#","kind":"#, timed.event.recordContent.kind.name)
        raw(",")
        times(timed.times)
        exactTimes(timed.event)
    }

    /// `"id","from","to"`, the times `exactFrom` and `exactTo` by which a correction names it, whether it lasts, and
    /// where it reaches beyond the span.
    private mutating func head(_ timed: TimelineEvent, in span: Range<Timestamp>, _ isCorrected: Bool) {
        member(#""id":"#, timed.event.id.description)
        raw(",")
        times(timed.times)
        exactTimes(timed.event)
        member(#","isCorrected":"#, isCorrected)
        member(#","isOpen":"#, timed.event.isOpen)
        member(#","startsBefore":"#, timed.times.lowerBound < span.lowerBound)
        member(#","endsAfter":"#, timed.times.upperBound > span.upperBound)
    }

    private mutating func exactTimes(_ event: HistoryEvent) {
        member(#","exactFrom":"#, event.begin, .nanoseconds)
        raw(#","exactTo":"#)
        if let end = event.end { time(end, .nanoseconds) } else { raw("null") }
    }

    private mutating func terminus(_ terminus: Trip.End) {
        raw(#"{"position":"#)
        axes(terminus.coordinate)
        raw(#","place":"#)
        place(terminus.place)
        raw("}")
    }

    /// `[longitude,latitude]`.
    mutating func axes(_ coordinate: Coordinate) {
        raw("[")
        number(coordinate.longitude, decimals: 6)
        raw(",")
        number(coordinate.latitude, decimals: 6)
        raw("]")
    }

    private mutating func place(_ place: PlaceName?) {
        guard let place else { return raw("null") }
        member(#"{"id":"#, place.id)
        member(#","name":"#, place.name)
        raw("}")
    }

    /// A member with a number or `null`.
    mutating func memberOrNull(_ name: StaticString, _ value: Double?, decimals: Int = 1) {
        raw(name)
        numberOrNull(value, decimals: decimals)
    }

    /// A number or `null`.
    mutating func numberOrNull(_ value: Double?, decimals: Int) {
        if let value { number(value, decimals: decimals) } else { raw("null") }
    }
}
