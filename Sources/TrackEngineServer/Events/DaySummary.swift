package import TrackEngine
package import TrackEngineHistory

/// A span of a device's time as the page shows it: a timeline, its visits and trips, and their totals by mode.
///
/// Visits are cut to the span in the timeline; trips and visits keep their own times and figures, and note where they
/// reach beyond it.
package struct DaySummary: Sendable, Hashable {
    package let span: Range<Timestamp>
    package let events: [TimelineEvent]
    package let transitions: [HistoryEvent]
    package let timeline: Timeline
    package let modes: ModeStatistics
    /// The numbers of points in those gaps that were searched, by the segment's index.
    var pointsInGaps: [Int: Int] = [:]
    /// Visits and trips that people have rejected.
    package var rejected: [TimelineEvent] = []
    /// The ids of visits and trips that people have corrected.
    package var corrected: Set<EventID> = []
    /// Whether there were more events than fit into an answer.
    package var isCut = false

    /// - Parameters:
    ///   - events: visits and trips that overlap the span.
    ///   - now: the begin of the future.
    package init(span: Range<Timestamp>, events: [TimelineEvent], transitions: [HistoryEvent], now: Timestamp) {
        self.span = span
        self.events = events
        self.transitions = transitions
        timeline = Timeline(of: events, during: span, now: now)
        var modes = ModeStatistics()
        for event in events { modes.add(event, in: span) }
        self.modes = modes
    }

    /// `{"from","to","segments":[{"kind","from","to","id"}],"visits":[…],"trips":[…],"transitions":[…],"modes":[…],"rejected":[…],"isCut"}`.
    ///
    /// Times are whole seconds since 1970, lengths metres, speeds metres per second; unknown values are `null`.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.raw("{")
        writer.times(span)
        writer.raw(#","segments":"#)
        writer.list(timeline.segments.enumerated()) { writer, item in
            writer.segment(item.element, points: pointsInGaps[item.offset])
        }
        writer.raw(#","visits":"#)
        writer.list(events.compactMap(\.asVisit)) { writer, item in
            writer.visit(item.0, item.1, in: span, isCorrected: corrected.contains(item.0.id))
        }
        writer.raw(#","trips":"#)
        writer.list(events.compactMap(\.asTrip)) { writer, item in
            writer.trip(item.0, item.1, in: span, isCorrected: corrected.contains(item.0.id))
        }
        writer.raw(#","transitions":"#)
        writer.list(transitions) { $0.members(of: $1) }
        writer.raw(#","modes":"#)
        writer.modes(modes)
        writer.raw(#","rejected":"#)
        writer.list(rejected) { writer, rejected in writer.rejected(rejected) }
        writer.member(#","isCut":"#, isCut)
        writer.raw("}")
        return writer.bytes
    }
}

extension TimelineEvent {
    fileprivate var asVisit: (Visit, TimelineEvent)? {
        if case .visit(let visit) = event.content { (visit, self) } else { nil }
    }
    fileprivate var asTrip: (Trip, TimelineEvent)? {
        if case .trip(let trip) = event.content { (trip, self) } else { nil }
    }
}
