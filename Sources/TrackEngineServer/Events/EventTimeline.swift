package import TrackEngine
package import TrackEngineHistory
package import TrackEnginePlaces

/// Events of a stretch of time with people's corrections.
///
/// The history keeps events as found; a ``/TrackEnginePlaces/CorrectionLog`` is applied when they are read.
package struct EventTimeline: Sendable, Hashable {
    /// The events, in the order of their beginnings.
    package let kept: [HistoryEvent]
    /// Rejected visits and trips, in the form that they would have.
    package let rejected: [HistoryEvent]
    /// The ids of the events that differ from those found.
    package let changed: Set<EventID>

    /// - Parameters:
    ///   - events: as they were found.
    ///   - book: the corrections, as far as they are about the time of the events
    ///     (``/TrackEnginePlaces/CorrectionLog/about(_:)``).
    package init(_ events: [HistoryEvent], _ book: CorrectionLog) {
        guard !book.corrections.isEmpty else {
            (kept, rejected, changed) = (events, [], [])
            return
        }
        let rejections = Set(book.corrections.filter { $0.change == .reject }.map(\.id))
        let shown = Self.corrected(events, book)
        kept = (shown + events.filter(\.isTransition)).sorted { $0.begin < $1.begin }
        let ids = Set(shown.map(\.id))
        rejected =
            rejections.isEmpty
            ? []
            : Self.corrected(events, book.withoutRejections).filter {
                rejections.contains($0.id) && !ids.contains($0.id)
            }
        let found = Dictionary(events.map { ($0.id, $0) }) { first, _ in first }
        changed = Set(shown.filter { found[$0.id] != $0 }.map(\.id))
    }

    private static func corrected(_ events: [HistoryEvent], _ book: CorrectionLog) -> [HistoryEvent] {
        var (visits, trips): ([Visit], [Trip]) = ([], [])
        for event in events {
            switch event.content {
            case .visit(let visit): visits.append(visit)
            case .trip(let trip): trips.append(trip)
            case .transition: break
            }
        }
        let corrected = book.corrected(visits: visits, trips: trips)
        return corrected.visits.map { HistoryEvent($0) } + corrected.trips.map { HistoryEvent($0) }
    }
}

extension CorrectionLog {
    /// Returns the corrections that may be about a stretch of time, and the stretch that has to be known for it:
    /// events that were joined over its ends belong to it as a whole.
    package func about(_ times: Range<Timestamp>) -> (book: CorrectionLog, times: Range<Timestamp>) {
        let spans = corrections.map(\.span)
        var reach = times
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for (correction, span) in zip(corrections, spans) {
                guard case .merge = correction.change, span.overlaps(reach), !reach.contains(span) else { continue }
                reach = min(reach.lowerBound, span.lowerBound)..<max(reach.upperBound, span.upperBound)
                isGrowing = true
            }
        }
        return (only { _, index in spans[index].overlaps(reach) }, reach)
    }

    fileprivate var withoutRejections: CorrectionLog { only { correction, _ in correction.change != .reject } }
}

extension Correction {
    /// The time in which events may be found that it is about.
    fileprivate var span: Range<Timestamp> {
        // The same event may begin some minutes earlier with other settings (Correction).
        let begin = from.advanced(by: .seconds(-600))
        let end = to ?? Timestamp(nanosecondsSince1970: .max)
        if case .merge(let last) = change { return begin..<max(to ?? from, last).advanced(by: .milliseconds(1)) }
        return begin..<max(begin, end)
    }
}

extension Range {
    fileprivate func contains(_ other: Range) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
