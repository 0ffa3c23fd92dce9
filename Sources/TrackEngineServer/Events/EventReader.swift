import TrackEngine
import TrackEngineHistory
import TrackEnginePlaces

/// Answers the page's questions about visits and trips, in JSON.
///
/// A day is requested as a span of time: only the page knows its time zone.
struct EventReader: Sendable {
    let history: TrackHistory
    let now: @Sendable () -> Timestamp
    /// Returns the corrections of a device.
    let corrections: @Sendable (DeviceID) async -> CorrectionLog

    /// The most events in an answer.
    static let longestList = 1_000
    /// The most events for the totals of trips: a decade of a busy vehicle.
    static let mostTrips = 100_000
    /// The longest span of a day: a few of them.
    static let longestDay = Duration.seconds(8 * 86_400)
    /// The most gaps in which points are searched.
    static let gapsLookedInto = 60
    /// The shortest gap that is worth a look.
    static let shortestGap = Duration.seconds(60)

    /// Events that overlap a span, as they were found, in the order of their beginnings:
    /// `{"events":[…],"next":null}`, where `next` is the parameter `after` of the next page.
    func events(_ parameters: ParameterList) async throws -> [UInt8] {
        let query = try ReadingQuery(parameters)
        let most = Double(Self.longestList)
        let limit = Int(try ReadingQuery.number("limit", parameters, in: 1...most, otherwise: most))
        let position = try parameters["after"].map { text throws(ReadingQuery.Malformed) in
            guard let position = HistoryEventPosition(text) else {
                throw ReadingQuery.Malformed("after", "the value of 'next' on the page before")
            }
            return position
        }
        let page = try await history.events(of: query.device, during: query.times, after: position, limit: limit)
        var writer = JSONWriter()
        writer.raw(#"{"events":"#)
        writer.list(page.events) { $0.members(of: $1) }
        writer.raw(#","next":"#)
        if let next = page.next { writer.string(next.description) } else { writer.raw("null") }
        writer.raw("}")
        return writer.bytes
    }

    /// The contents of a span of at most eight days: its segments, visits, trips, transitions and modes
    /// (``DaySummary``).
    func day(_ parameters: ParameterList) async throws -> [UInt8] {
        let query = try ReadingQuery(parameters)
        guard query.times.upperBound.duration(since: query.times.lowerBound) <= Self.longestDay else {
            throw ReadingQuery.Malformed("to", "at most eight days after from")
        }
        let now = now()
        let (events, isCut) = try await corrected(query, most: Self.longestList)
        let timed = try await timed(events.kept, of: query, now: now)
        let transitions = events.kept.filter { $0.isTransition && query.times.contains($0.begin) }
        var summary = DaySummary(span: query.times, events: timed, transitions: transitions, now: now)
        summary.rejected = TimelineEvent.timed(events.rejected, now: now).filter { $0.overlaps(query.times) }
        summary.corrected = events.changed
        summary.isCut = isCut
        try await lookIntoGaps(of: &summary, query.device)
        return summary.json
    }

    /// The totals of the trips of a span by mode: `[{"mode","trips","distance","moving"}]`, the longest way first.
    func modes(_ parameters: ParameterList) async throws -> [UInt8] {
        let query = try ReadingQuery(parameters)
        let (events, isCut) = try await corrected(query, most: Self.mostTrips)
        guard !isCut else { throw ReadingQuery.Malformed("to", "a span with at most \(Self.mostTrips) events") }
        var statistics = ModeStatistics()
        for event in try await timed(events.kept, of: query, now: now()) { statistics.add(event, in: query.times) }
        var writer = JSONWriter()
        writer.modes(statistics)
        return writer.bytes
    }

    /// Events of a span as people have corrected them.
    private func corrected(_ query: ReadingQuery, most: Int) async throws -> (events: EventTimeline, isCut: Bool) {
        let (book, times) = await corrections(query.device).about(query.times)
        var found: [HistoryEvent] = []
        var position: HistoryEventPosition?
        repeat {
            let page = try await history.events(
                of: query.device, during: times, after: position, limit: Self.longestList)
            found += page.events
            position = page.next
        } while position != nil && found.count < most
        return (EventTimeline(found, book), position != nil)
    }

    /// Returns visits and trips with their times, as far as they reach into the requested span.
    private func timed(
        _ events: [HistoryEvent], of query: ReadingQuery, now: Timestamp
    ) async throws -> [TimelineEvent] {
        var known = events
        // An open event that another one ended long before the span must not reach into it.
        for event in events where event.isOpen && event.begin < query.times.lowerBound {
            if let successor = try await successor(of: event, query) { known.append(successor) }
        }
        var timed: [TimelineEvent] = []
        for event in TimelineEvent.timed(known, now: now) {
            timed.append(try await measured(event, of: query.device))
        }
        return timed.filter { $0.overlaps(query.times) }
    }

    /// Adds the totals of its points to a trip under way, since its record was made when it began. The trip reaches
    /// at most to its newest point.
    private func measured(_ timed: TimelineEvent, of device: DeviceID) async throws -> TimelineEvent {
        guard case .trip(let trip) = timed.event.content, timed.event.isOpen, !timed.times.isEmpty else { return timed }
        // The last point may be of the end itself.
        let span = timed.times.lowerBound..<timed.times.upperBound.advanced(by: .milliseconds(1))
        let way = try await history.summary(of: device, during: span)
        let end = min(max(way?.end ?? trip.start.time, trip.start.time), timed.times.upperBound)
        return TimelineEvent(
            event: HistoryEvent(
                Trip(
                    id: trip.id, mode: trip.mode, start: trip.start, distance: max(trip.distance, way?.distance ?? 0),
                    movingTime: max(trip.movingTime, way?.movingTime ?? .zero),
                    topSpeed: way?.topSpeed ?? trip.topSpeed,
                    climb: way?.climb ?? trip.climb, startedBy: trip.startedBy)),
            times: timed.times.lowerBound..<end)
    }

    /// Returns the first event before the span that ends an open one.
    private func successor(of event: HistoryEvent, _ query: ReadingQuery) async throws -> HistoryEvent? {
        var position: HistoryEventPosition?
        repeat {
            let page = try await history.events(
                of: query.device, during: event.begin..<query.times.lowerBound, after: position, limit: 100)
            if let found = page.events.first(where: event.isEnded) { return found }
            position = page.next
        } while position != nil
        return nil
    }

    /// Counts the points in gaps: a gap with points is not a time without data.
    private func lookIntoGaps(of summary: inout DaySummary, _ device: DeviceID) async throws {
        var looks = 0
        for index in summary.timeline.segments.indices where looks < Self.gapsLookedInto {
            let segment = summary.timeline.segments[index]
            let length = segment.times.upperBound.duration(since: segment.times.lowerBound)
            guard segment.event == nil, length >= Self.shortestGap else { continue }
            looks += 1
            summary.pointsInGaps[index] = try await history.summary(of: device, during: segment.times)?.count ?? 0
        }
    }
}
