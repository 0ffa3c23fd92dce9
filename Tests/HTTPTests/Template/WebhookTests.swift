import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

/// Requests for what happens, and not for where the object is.
@Suite("Webhooks for events", .timeLimit(.minutes(30)))
struct WebhookTests {
    private static let start = Timestamp(secondsSince1970: 1_772_359_200)
    private static let end = Timestamp(secondsSince1970: 1_772_360_400)
    private static let depot = PlaceName(id: "depot-1", name: "Depot \"North\"")

    private static func record(_ content: RecordContent, _ number: Int64 = 1) -> TrackRecord {
        let draft = RecordDraft(
            id: RecordID(rawValue: UInt128(number)), fix: Samples.full.fix, isMoving: true, cause: .detected,
            source: "gps", content: content)
        return TrackRecord(sequence: RecordSequence(rawValue: number), draft: draft)
    }

    private static func transition(_ event: Transition.Event, _ place: PlaceName = depot) -> RecordContent {
        .transition(
            Transition(event: event, place: place, centre: Coordinate(latitude: 53.5, longitude: 10), radius: 150))
    }

    private static let visit = RecordContent.visit(
        Visit(
            id: EventID(rawValue: 7), centre: Coordinate(latitude: 53.5, longitude: 10), radius: 30, arrival: start,
            departure: end, place: depot))

    private static func trip(to place: PlaceName?) -> RecordContent {
        let middle = Coordinate(latitude: 53.5, longitude: 10)
        return .trip(
            Trip(
                id: EventID(rawValue: 8), mode: .car, start: Trip.End(time: start, coordinate: middle),
                end: Trip.End(time: end, coordinate: middle, place: place), distance: 9000,
                movingTime: .seconds(900), startedBy: .automatic, endedBy: .automatic))
    }

    private static func sink(_ change: (inout HTTPSink.Configuration) -> Void) throws -> HTTPSink {
        try HTTPSink(configuration: TemplateSamples.configuration("http://127.0.0.1:9/in", change))
    }

    @Test(arguments: [
        ("kind", "transition"), ("transition", "enter"), ("place", "Depot \"North\""), ("placeID", "depot-1"),
        ("begin", ""), ("eventID", ""), ("mode|-", "-"),
    ])
    func `a transition says what happened and where`(_ field: String, _ written: String) throws {
        #expect(try TemplateSamples.body("%{\(field)}", .text, Self.record(Self.transition(.enter))) == written)
    }

    @Test func `a visit and a trip say when they began and ended, and a trip how far it was`() throws {
        let template = "%{kind} %{place} %{begin} %{end:epoch} %{mode|-} %{distance:km:1|-}"
        #expect(
            try TemplateSamples.body(template, .text, Self.record(Self.visit))
                == "visit Depot \"North\" 2026-03-01T10:00:00Z 1772360400 - -")
        #expect(
            try TemplateSamples.body(template, .text, Self.record(Self.trip(to: Self.depot)))
                == "trip Depot \"North\" 2026-03-01T10:00:00Z 1772360400 car 9")
        #expect(
            try TemplateSamples.body("%{eventID}", .text, Self.record(Self.visit))
                == "00000000-0000-0000-0000-000000000007")
    }

    @Test func `a name with quotes is escaped as the place in the body demands, and a position says that it is one`()
        throws
    {
        #expect(
            try TemplateSamples.body(#"{"p":%{place}}"#, .json, Self.record(Self.visit)) == #"{"p":"Depot \"North\""}"#)
        #expect(try TemplateSamples.body(#"{"k":%{kind},"p":%{place}}"#) == #"{"k":"location","p":null}"#)
    }

    @Test func `only the kinds that are wanted are sent, and of events only those of the places`() async throws {
        let sink = try Self.sink {
            $0.kinds = [.transition, .trip]
            $0.places = ["depot-1"]
            $0.body = "{}"
        }
        #expect(sink.carries(Self.record(Self.transition(.leave))))
        #expect(!sink.carries(Self.record(Self.transition(.leave, PlaceName(id: "home", name: "Home")))))
        #expect(sink.carries(Self.record(Self.trip(to: Self.depot))))
        #expect(!sink.carries(Self.record(Self.trip(to: nil))))
        #expect(!sink.carries(Self.record(Self.visit)))
        #expect(!sink.carries(Samples.full))
        await sink.close()
    }

    @Test func `a preset takes positions alone, and no kind at all is refused`() {
        let preset = TemplateSamples.configuration {
            $0.preset = .dawarich
            $0.kinds = [.transition]
        }
        #expect(preset.problems.contains { $0.key == "kinds" && $0.expectation.contains("location alone") })
        #expect(TemplateSamples.configuration { $0.kinds = [] }.problems.contains { $0.key == "kinds" })
    }

    @Test func `events arrive in order, one request each`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let sink = try HTTPSink(
                configuration: TemplateSamples.configuration(
                    receiver.url("/ok") + "?what=%{transition}&where=%{placeID}"
                ) {
                    $0.kinds = [.transition]
                    $0.method = .get
                })
            let records = [Transition.Event.enter, .dwell, .leave].enumerated().map {
                Self.record(Self.transition($1), Int64($0 + 1))
            }
            let receipt = try await sink.deliver(RecordBatch(records: records))
            #expect(receipt == Receipt(settled: 3))
            let targets = try receiver.requests().map(\.target)
            #expect(
                targets.map { $0.drop { $0 != "?" } }
                    == ["enter", "dwell", "leave"].map { "?what=\($0)&where=depot-1" })
            await sink.close()
            receiver.stop()
        }
    }
}
