import SenderFormats
import TrackEngine
import TrackEngineHistory

/// Answers what the page asks about visits and trips, in JSON.
///
/// A day is asked for as a span of time: which zone it is a day of, the page knows.
struct EventReader: Sendable {
    let history: TrackHistory
    let now: @Sendable () -> Timestamp
    /// What people have corrected of a device.
    let corrections: @Sendable (DeviceID) async -> EventCorrections

    /// The most events in an answer.
    static let longestList = 1_000
    /// The longest span of a day: a few of them.
    static let longestDay = Duration.seconds(8 * 86_400)
    /// In how many gaps it is looked for points at the most.
    static let gapsLookedInto = 60
    /// What is shorter is no gap worth looking into.
    static let shortestGap = Duration.seconds(60)

    /// Events of which a part lies in a span, in the order of their beginnings: `{"events":[…],"next":null}`, where `next` is the
    /// parameter `after` of the next page.
    func events(_ parameters: FormParameters) async throws -> [UInt8] {
        let query = try ReadingQuery(parameters)
        let most = Double(Self.longestList)
        let limit = Int(try ReadingQuery.number("limit", parameters, in: 1...most, otherwise: most))
        let position = try parameters["after"].map { text throws(ReadingQuery.Malformed) in
            guard let position = HistoryEventPosition(text) else {
                throw ReadingQuery.Malformed("after", "what 'next' said on the page before")
            }
            return position
        }
        let page = try await history.events(of: query.device, during: query.times, after: position, limit: limit)
        var writer = JSONWriter()
        writer.raw(#"{"events":"#)
        writer.list(try await corrected(page.events, of: query.device).kept) { $0.members(of: $1) }
        writer.raw(#","next":"#)
        if let next = page.next { writer.string(next.description) } else { writer.raw("null") }
        writer.raw("}")
        return writer.bytes
    }

    /// What a span of at most eight days was filled with: its segments, visits, trips, transitions and modes (``DaySummary``).
    func day(_ parameters: FormParameters) async throws -> [UInt8] {
        let query = try ReadingQuery(parameters)
        guard query.times.upperBound.duration(since: query.times.lowerBound) <= Self.longestDay else {
            throw ReadingQuery.Malformed("to", "at most eight days after from")
        }
        let page = try await history.events(of: query.device, during: query.times, limit: Self.longestList)
        let now = now()
        let (kept, rejected) = try await corrected(page.events, of: query.device)
        let timed = try await timed(kept, of: query, now: now)
        var summary = DaySummary(
            span: query.times, events: timed, transitions: kept.filter(\.isTransition), now: now)
        summary.rejected = TimedEvent.timed(rejected, now: now).filter { $0.overlaps(query.times) }
        summary.isCut = page.next != nil
        try await lookIntoGaps(of: &summary, query.device)
        return summary.json
    }

    /// What the trips of a span come to by mode: `[{"mode","trips","distance","moving"}]`, the longest way first.
    func modes(_ parameters: FormParameters) async throws -> [UInt8] {
        let query = try ReadingQuery(parameters)
        var statistics = ModeStatistics()
        var position: HistoryEventPosition?
        // One that was merged may come with the pages of both its parts.
        var counted: Set<EventID> = []
        let now = now()
        repeat {
            let page = try await history.events(
                of: query.device, during: query.times, after: position, limit: Self.longestList)
            let kept = try await corrected(page.events, of: query.device).kept
            for event in try await timed(kept, of: query, now: now) where counted.insert(event.event.id).inserted {
                statistics.add(event, in: query.times)
            }
            position = page.next
        } while position != nil
        var writer = JSONWriter()
        writer.modes(statistics)
        return writer.bytes
    }

    /// Events as people have corrected them, and those that they have rejected.
    private func corrected(
        _ events: [HistoryEvent], of device: DeviceID
    ) async throws -> (kept: [HistoryEvent], rejected: [HistoryEvent]) {
        let corrections = await corrections(device)
        guard !corrections.isEmpty else { return (events, []) }
        var known = events
        // The other part of one that was merged may lie in another span.
        for id in corrections.partners(of: events) {
            if let event = try await history.event(id, of: device) { known.append(event) }
        }
        var places: [Timestamp: Coordinate] = [:]
        for time in corrections.splits(of: known) {
            let end = time.advanced(by: .seconds(600))
            places[time] = try await history.points(of: device, during: time..<end, limit: 1).first?.fix.coordinate
        }
        return corrections.apply(to: known, places: places)
    }

    /// Visits and trips with their times, as far as they reach into what is asked for.
    private func timed(
        _ events: [HistoryEvent], of query: ReadingQuery, now: Timestamp
    ) async throws -> [TimedEvent] {
        var known = events
        // What another one ended long before the span has nothing to say in it.
        for event in events where event.isOpen && event.begin < query.times.lowerBound {
            if let successor = try await successor(of: event, query) { known.append(successor) }
        }
        return TimedEvent.timed(known, now: now).filter { $0.overlaps(query.times) }
    }

    /// The first event before the span that ends one that nobody has ended.
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

    /// A gap with points is not a time of which nothing is known.
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
