import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEnginePlaces
import TrackEngineServer

@Suite("Days with corrections", .timeLimit(.minutes(30)))
struct EventTimelineTests {
    private typealias Routes = EventRoutesTests

    private static func book(_ orders: (HistoryEvent, Correction.Change)...) throws -> CorrectionLog {
        var book = CorrectionLog()
        for (event, change) in orders {
            let kind = event.recordContent.kind
            try book.take(.correct(Correction(kind: kind, id: event.id, from: event.begin, to: event.end, change)))
        }
        return book
    }

    private static let day = Routes.begin..<Routes.begin.advanced(by: .seconds(86_400))

    @Test func `Without corrections events are as they were found`() {
        let events = [Routes.visit(0, 60), Routes.trip(60, 90)]
        let corrected = EventTimeline(events, CorrectionLog())
        #expect(corrected.kept == events && corrected.rejected.isEmpty && corrected.changed.isEmpty)
    }

    @Test func `What was put right is marked, and what was rejected is told apart, as it would be`() throws {
        let (visit, trip, later) = (Routes.visit(0, 60, at: "Home"), Routes.trip(60, 90), Routes.visit(90, 120))
        let book = try Self.book((visit, .rename("Cellar")), (later, .rename("Barn")), (later, .reject))
        let corrected = EventTimeline([visit, trip, later], book.about(Self.day).book)
        #expect(corrected.kept.map(\.id) == [visit.id, trip.id])
        #expect(corrected.changed == [visit.id])
        #expect(corrected.rejected.map(\.id) == [later.id])
        guard case .visit(let rejected) = try #require(corrected.rejected.first).content else { return }
        #expect(rejected.place?.name == "Barn")
    }

    @Test func `What was joined over midnight is looked for beyond the day`() throws {
        let (first, second, third) = (Routes.trip(-60, -30), Routes.trip(-10, 20), Routes.trip(30, 40))
        let book = try Self.book((first, .merge(upTo: second.begin)), (second, .merge(upTo: third.begin)))
        let (about, times) = book.about(Self.day)
        #expect(times.contains(first.begin) && times.contains(third.begin))
        let corrected = EventTimeline([first, second, third], about)
        #expect(corrected.kept.first?.id == first.id && corrected.kept.first?.end == second.end)
        let yesterday = Routes.begin.advanced(by: .seconds(-172_800))..<Routes.begin.advanced(by: .seconds(-86_400))
        #expect(book.about(yesterday).book.corrections.isEmpty)
        #expect(book.about(yesterday).times == yesterday)
    }

    @Test func `A trip that was joined over midnight is whole on both days`() async throws {
        let places = KeptPlaces()
        try await ServerBench.with(sharing: SharingScene(ownDevice: "van-7", places: places)) { bench in
            let (first, second) = (Routes.trip(-60, -30), Routes.trip(10, 20))
            _ = try await bench.history.add([], events: [first, second], of: "van-7")
            let order =
                #"{"kind":"trip","id":"\#(first.id)","from":"\#(first.begin.rfc3339(.nanoseconds))","change":"#
                + #"{"merge":"\#(second.begin.rfc3339(.nanoseconds))"}}"#
            try await places.correct(Array(order.utf8))
            for start in [-86_400, 0] {
                let begin = Routes.begin.secondsSince1970 + Int64(start)
                let query = "device=van-7&from=\(begin)&to=\(begin + 86_400)&key=\(bench.key)"
                let day = try JSONValue.parse(Array(try await bench.send("GET", "/api/day?\(query)").body.utf8))
                let trip = try #require(day["trips"]?.array?.first)
                #expect(day["trips"]?.array?.count == 1 && trip["isCorrected"]?.boolean == true)
                #expect(trip["distance"]?.number == 7_200)
                #expect(trip[start < 0 ? "endsAfter" : "startsBefore"]?.boolean == true)
            }
        }
    }
}
