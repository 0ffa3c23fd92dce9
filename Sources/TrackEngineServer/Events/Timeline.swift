package import TrackEngine
package import TrackEngineHistory

/// The contents of a span of time: stops, ways and gaps, one after the other and without overlaps.
package struct Timeline: Sendable, Hashable {
    /// A piece of it.
    package struct Segment: Sendable, Hashable {
        package var times: Range<Timestamp>
        /// The visit or trip that fills it; `nil` for a gap.
        package let event: HistoryEvent?
    }

    /// The pieces, which together reach from the span's beginning to its end, or to now where that is earlier.
    package let segments: [Segment]

    /// - Parameters:
    ///   - events: visits and trips, sorted by their beginnings.
    ///   - span: the part of them that is shown.
    ///   - now: the begin of the future, which has no segments.
    package init(of events: [TimelineEvent], during span: Range<Timestamp>, now: Timestamp) {
        let whole = span.lowerBound..<max(span.lowerBound, min(span.upperBound, now))
        let parts = events.map { ($0.event, $0.times.clamped(to: whole)) }.filter { !$0.1.isEmpty }
        var bounds = Set(parts.flatMap { [$0.1.lowerBound, $0.1.upperBound] })
        bounds.formUnion([whole.lowerBound, whole.upperBound])
        var segments: [Segment] = []
        var active: [(HistoryEvent, Range<Timestamp>)] = []
        var next = parts.startIndex
        let sorted = bounds.sorted()
        for (begin, end) in zip(sorted, sorted.dropFirst()) {
            active.removeAll { $0.1.upperBound <= begin }
            while next < parts.endIndex, parts[next].1.lowerBound <= begin {
                active.append(parts[next])
                next += 1
            }
            let event = Self.ruling(active.map(\.0))
            if let last = segments.indices.last, segments[last].event == event {
                segments[last].times = segments[last].times.lowerBound..<end
            } else {
                segments.append(Segment(times: begin..<end, event: event))
            }
        }
        self.segments = segments
    }

    /// Returns the event that counts where several overlap: a stop on the way, that is, the latest visit, or else the
    /// latest trip.
    private static func ruling(_ events: [HistoryEvent]) -> HistoryEvent? {
        let visits = events.filter { if case .visit = $0.content { true } else { false } }
        return (visits.isEmpty ? events : visits).max { $0.begin < $1.begin }
    }
}
