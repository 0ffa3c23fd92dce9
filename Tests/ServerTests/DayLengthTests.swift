import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// The days on which clocks are changed, as whoever lives in Berlin asks for them.
@Suite(.timeLimit(.minutes(30))) struct DayLengthTests {
    struct Day: Sendable {
        let from: String
        let to: String
        let hours: Int64
    }

    static let days = [
        Day(from: "2026-03-29T00:00:00%2B01:00", to: "2026-03-30T00:00:00%2B02:00", hours: 23),
        Day(from: "2026-10-25T00:00:00%2B02:00", to: "2026-10-26T00:00:00%2B01:00", hours: 25),
    ]

    private static func time(_ text: String) throws -> Timestamp {
        try #require(Timestamp(rfc3339: text.replacing("%2B", with: "+")))
    }

    private static func visit(_ arrival: Timestamp, _ departure: Timestamp) -> HistoryEvent {
        HistoryEvent(
            Visit(
                id: EventID(device: "van-7", kind: .visit, beginning: arrival),
                centre: Coordinate(latitude: 52.52, longitude: 13.4), radius: 30, arrival: arrival,
                departure: departure))
    }

    private static func trip(_ begin: Timestamp, _ end: Timestamp) -> HistoryEvent {
        func terminus(_ time: Timestamp) -> Trip.End {
            Trip.End(time: time, coordinate: Coordinate(latitude: 52.52, longitude: 13.4))
        }
        return HistoryEvent(
            Trip(
                id: EventID(device: "van-7", kind: .trip, beginning: begin), mode: .walk, start: terminus(begin),
                end: terminus(end), distance: 4_000, movingTime: end.duration(since: begin), startedBy: .automatic))
    }

    /// At home overnight; a walk of two hours over each midnight, of which one hour belongs to the day.
    @Test(arguments: days)
    func `a day is as long as its clock says, and what crosses its bounds is cut there`(_ day: Day) async throws {
        let (from, to) = try (Self.time(day.from), Self.time(day.to))
        #expect(to.duration(since: from) == .seconds(3600 * day.hours))
        let hour = Duration.seconds(3600)
        let later = ServerClock(now: { to.advanced(by: .seconds(864_000)) }, isSynchronised: { true })
        try await ServerBench.with(wallClock: later) { bench in
            let events = [
                Self.visit(from.advanced(by: hour * -9), from.advanced(by: hour * -1)),
                Self.trip(from.advanced(by: hour * -1), from.advanced(by: hour)),
                Self.visit(from.advanced(by: hour), to.advanced(by: hour * -1)),
                Self.trip(to.advanced(by: hour * -1), to.advanced(by: hour)),
                Self.visit(to.advanced(by: hour), to.advanced(by: hour * 9)),
            ]
            _ = try await bench.history.add([], events: events, of: "van-7")
            let reply = try await bench.send(
                "GET", "/api/day?device=van-7&from=\(day.from)&to=\(day.to)&key=\(bench.key)")
            #expect(reply.status == 200, "\(reply.body)")
            let answer = try JSONValue.parse(Array(reply.body.utf8))
            let segments = try #require(answer["segments"]?.array)
            #expect(segments.map { $0["kind"]?.string } == ["moving", "stop", "moving"])
            let bounds = segments.map { [$0["from"]?.number, $0["to"]?.number] }
            let begin = Double(from.secondsSince1970)
            let length = Double(day.hours) * 3600
            let expected = [[0, 3600], [3600, length - 3600], [length - 3600, length]]
            #expect(bounds == expected.map { $0.map { begin + $0 } })
            #expect(answer["visits"]?.array?.count == 1 && answer["trips"]?.array?.count == 2)
            #expect(answer["modes"]?.array?.first?["moving"]?.number == 7200, "half of each walk")
        }
    }
}
