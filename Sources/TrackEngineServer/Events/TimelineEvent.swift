package import TrackEngine
package import TrackEngineHistory

/// A visit or a trip with the time for which it counts.
package struct TimelineEvent: Sendable, Hashable {
    package let event: HistoryEvent
    /// From its beginning to its end; of one that lasts, to where the next one takes its place, or to now.
    package let times: Range<Timestamp>

    /// Visits and trips with their times.
    ///
    /// An open event ends where the next one of its kind begins, and a visit also where a trip begins: a stay
    /// excludes travel. A missing completion thus does not fill all later days.
    ///
    /// - Parameters:
    ///   - events: in any order; transitions are left out.
    ///   - now: the present end of open events.
    package static func timed(_ events: [HistoryEvent], now: Timestamp) -> [TimelineEvent] {
        let sorted = events.filter { !$0.isTransition }.sorted { $0.begin < $1.begin }
        return sorted.enumerated().map { index, event in
            let successor = sorted[(index + 1)...].first { event.isEnded(by: $0) }
            let end = event.end ?? min(successor?.begin ?? now, max(now, event.begin))
            return TimelineEvent(event: event, times: event.begin..<max(event.begin, end))
        }
    }

    /// Whether a part of it lies in a span; one without any length does if its moment does.
    package func overlaps(_ span: Range<Timestamp>) -> Bool {
        times.isEmpty ? span.contains(times.lowerBound) : times.overlaps(span)
    }

    /// The part of it that lies in a span, as a part of one.
    package func share(in span: Range<Timestamp>) -> Double {
        let whole = times.upperBound.duration(since: times.lowerBound)
        guard whole > .zero else { return span.contains(times.lowerBound) ? 1 : 0 }
        let part = times.clamped(to: span)
        return part.upperBound.duration(since: part.lowerBound) / whole
    }
}

extension HistoryEvent {
    /// Whether it is a moment and no stretch of time.
    var isTransition: Bool { if case .transition = content { true } else { false } }

    /// Returns whether it has ended where another one begins, if its own end is unknown.
    func isEnded(by other: HistoryEvent) -> Bool {
        guard other.begin > begin else { return false }
        return switch (content, other.content) {
        case (.visit, .visit), (.visit, .trip), (.trip, .trip): true
        case _: false
        }
    }
}
