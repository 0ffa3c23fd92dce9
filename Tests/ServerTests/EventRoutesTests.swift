import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

@Suite("Events over the reading interface", .timeLimit(.minutes(30)))
struct EventRoutesTests {
    static let begin = ServerBench.now.advanced(by: .seconds(-12 * 3600))

    private static func time(_ minutes: Int) -> Timestamp { begin.advanced(by: .seconds(60 * minutes)) }

    static func visit(_ arrival: Int, _ departure: Int?, at name: String? = nil) -> HistoryEvent {
        HistoryEvent(
            Visit(
                id: EventID(device: "van-7", kind: .visit, beginning: time(arrival)),
                centre: Coordinate(latitude: 53.55, longitude: 9.98), radius: 40, arrival: time(arrival),
                departure: departure.map(time), place: name.map { PlaceName(id: "1", name: $0) }))
    }

    static func trip(_ start: Int, _ end: Int?) -> HistoryEvent {
        func terminus(_ minutes: Int) -> Trip.End {
            Trip.End(time: time(minutes), coordinate: Coordinate(latitude: 53.55, longitude: 9.98))
        }
        return HistoryEvent(
            Trip(
                id: EventID(device: "van-7", kind: .trip, beginning: time(start)), mode: .bicycle,
                start: terminus(start), end: end.map(terminus), distance: 3_600, movingTime: .seconds(600),
                topSpeed: 9.5, climb: 12, startedBy: .automatic, endedBy: end == nil ? nil : .automatic))
    }

    private func ask(_ bench: ServerBench, _ path: String, _ more: String = "", to end: Int = 720) async throws
        -> JSONValue
    {
        let query = "device=van-7&from=\(Self.time(0).secondsSince1970)&to=\(Self.time(end).secondsSince1970)"
        let reply = try await bench.send("GET", "\(path)?\(query)\(more)&key=\(bench.key)")
        #expect(reply.status == 200, "\(reply.body)")
        return try JSONValue.parse(Array(reply.body.utf8))
    }

    @Test func `Events are told page after page, as a message of the event schema has them`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(
                [], events: [Self.visit(-60, 60, at: "Home"), Self.trip(60, 70), Self.visit(70, nil)], of: "van-7")
            let first = try await ask(bench, "/api/events", "&limit=2")
            let events = try #require(first["events"]?.array)
            #expect(events.map { $0["kind"]?.string } == ["visit", "trip"])
            #expect(events.first?["visit"]?["place"]?["name"]?.string == "Home")
            #expect(events.first?["visit"]?["departure"]?.string == Self.time(60).rfc3339(.milliseconds))
            #expect(events.last?["trip"]?["mode"]?.string == "bicycle")
            let next = try #require(first["next"]?.string)
            let second = try await ask(bench, "/api/events", "&limit=2&after=\(next)")
            #expect(second["events"]?.array?.count == 1)
            #expect(second["next"] == .null)
        }
    }

    @Test func `A day has a timeline, figures and modes, and its gaps say whether there are points`() async throws {
        try await ServerBench.with { bench in
            let points = (0..<20).map {
                HistoryPoint(fix: Fix(time: Self.time(400 + $0), coordinate: Coordinate(latitude: 53.5, longitude: 10)))
            }
            _ = try await bench.history.add(
                points, events: [Self.visit(-60, 60, at: "Home"), Self.trip(60, 70), Self.visit(70, 100)], of: "van-7")
            let day = try await ask(bench, "/api/day")
            let segments = try #require(day["segments"]?.array)
            #expect(segments.map { $0["kind"]?.string } == ["stop", "moving", "stop", "gap"])
            #expect(segments.last?["points"]?.number == 20)
            #expect(day["visits"]?.array?.first?["startsBefore"]?.boolean == true)
            let trip = try #require(day["trips"]?.array?.first)
            #expect(trip["meanSpeed"]?.number == 6 && trip["topSpeed"]?.number == 9.5 && trip["climb"]?.number == 12)
            #expect(day["modes"]?.array?.first?["distance"]?.number == 3_600)
            let modes = try await ask(bench, "/api/modes")
            #expect(modes.array == day["modes"]?.array)
        }
    }

    @Test func `A visit that nobody ended does not fill the days after the next trip`() async throws {
        try await ServerBench.with { bench in
            let events = [Self.visit(-9_000, nil, at: "Lost"), Self.trip(-3_000, -2_990), Self.visit(300, nil)]
            _ = try await bench.history.add([], events: events, of: "van-7")
            let day = try await ask(bench, "/api/day")
            #expect(day["segments"]?.array?.map { $0["kind"]?.string } == ["gap", "stop"])
            #expect(day["visits"]?.array?.count == 1)
        }
    }

    @Test func `A trip under way has the figures of its points, and lasts no longer than they do`() async throws {
        try await ServerBench.with { bench in
            let points = (0...30).map { minute in
                HistoryPoint(
                    fix: Fix(
                        time: Self.time(60 + minute),
                        coordinate: Coordinate(latitude: 53.55 + Double(minute) * 0.003, longitude: 9.98), speed: 5.5))
            }
            let begun = HistoryEvent(
                Trip(
                    id: EventID(device: "van-7", kind: .trip, beginning: Self.time(60)), mode: .bicycle,
                    start: Trip.End(
                        time: Self.time(60), coordinate: Coordinate(latitude: 53.55, longitude: 9.98)),
                    distance: 0, movingTime: .zero, startedBy: .automatic))
            _ = try await bench.history.add(points, events: [begun], of: "van-7")
            let day = try await ask(bench, "/api/day")
            let trip = try #require(day["trips"]?.array?.first)
            #expect(trip["isOpen"]?.boolean == true)
            #expect(trip["to"]?.number == Double(Self.time(90).secondsSince1970))
            let metres = try #require(trip["distance"]?.number)
            #expect((9_900...10_100).contains(metres), "30 times 334 m, not \(metres)")
            #expect(trip["moving"]?.number == 1_800 && trip["topSpeed"]?.number == 5.5)
            let modes = try await ask(bench, "/api/modes").array
            #expect(modes?.first?["distance"]?.number == metres && modes?.first?["trips"]?.number == 1)
            #expect(day["segments"]?.array?.map { $0["kind"]?.string } == ["gap", "moving", "gap"])
        }
    }

    @Test(arguments: ["/api/events", "/api/day", "/api/modes"])
    func `Without the key nothing is told, and what is wrong with a question is said`(_ path: String) async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            #expect(try await bench.send("GET", "\(path)?device=a&from=0&to=1").status == 401)
            let reply = try await bench.send(
                "GET", "\(path)?device=a&from=0&to=1", ["Authorization": "Bearer \(token)"])
            #expect(reply.status == 401)
            for query in ["from=0&to=1", "device=a&from=5&to=1", "device=a&from=x&to=1"] {
                #expect(try await bench.send("GET", "\(path)?\(query)&key=\(bench.key)").status == 400)
            }
        }
        try await ServerBench.with { bench in
            let wrong = [
                "/api/events?device=a&from=0&to=1&after=x", "/api/events?device=a&from=0&to=1&limit=0",
                "/api/day?device=a&from=0&to=864000",
            ]
            for target in wrong {
                let reply = try await bench.send("GET", "\(target)&key=\(bench.key)")
                #expect(reply.status == 400)
            }
        }
    }

    @Test func `Points that are deleted take the events of their time along`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add([], events: [Self.visit(0, 60), Self.trip(60, 70)], of: "van-7")
            let query = "device=van-7&from=\(Self.time(65).secondsSince1970)&to=\(Self.time(66).secondsSince1970)"
            let key = try bench.access.allowEditing().secret.revealed
            #expect(try await bench.send("DELETE", "/api/points?\(query)&key=\(key)").status == 200)
            #expect(try await ask(bench, "/api/events")["events"]?.array?.count == 1)
        }
    }
}
