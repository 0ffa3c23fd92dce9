import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

@Suite("Corrections of visits and trips")
struct CorrectionTests {
    private typealias Routes = EventRoutesTests

    private static func minute(_ minute: Int) -> Timestamp { Routes.begin.advanced(by: .seconds(60 * minute)) }

    /// Applies `[("visit", id, change)]`.
    private static func corrections(_ list: [(String, HistoryEvent, String)]) -> EventCorrections {
        let entries = list.map { #"{"kind":"\#($0.0)","id":"\#($0.1.id)","change":\#($0.2)}"# }
        return EventCorrections(Array(#"{"corrections":[\#(entries.joined(separator: ","))]}"#.utf8))
    }

    private static func trips(_ events: [HistoryEvent]) -> [Trip] {
        events.compactMap { if case .trip(let trip) = $0.content { trip } else { nil } }
    }

    @Test func `A name and a mode are others, and applied again nothing changes`() {
        let (visit, trip) = (Routes.visit(0, 60, at: "Home"), Routes.trip(60, 90))
        let corrections = Self.corrections([
            ("visit", visit, #"{"rename":"Cellar"}"#), ("trip", trip, #"{"mode":"tram"}"#),
        ])
        let kept = corrections.apply(to: [visit, trip]).kept
        #expect(kept.first?.recordContent.place?.name == "Cellar")
        #expect(kept.first?.recordContent.place?.id == "1")
        #expect(Self.trips(kept).first?.mode == .tram)
        #expect(corrections.apply(to: kept).kept == kept)
    }

    @Test func `What was rejected is none, and is told apart`() {
        let (visit, trip) = (Routes.visit(0, 60), Routes.trip(60, 90))
        let (kept, rejected) = Self.corrections([("visit", visit, #"{"reject":true}"#)]).apply(to: [visit, trip])
        #expect(kept == [trip] && rejected == [visit])
    }

    @Test func `Merged trips have the figures of both, also where one part lies elsewhere`() throws {
        let (first, second) = (Routes.trip(0, 30), Routes.trip(40, 60))
        let corrections = Self.corrections([("trip", first, #"{"merge":"\#(second.id)"}"#)])
        #expect(corrections.partners(of: [second]) == [first.id])
        #expect(corrections.partners(of: [first]) == [second.id])
        #expect(corrections.partners(of: [first, second]).isEmpty)
        let kept = corrections.apply(to: [first, second]).kept
        let trip = try #require(Self.trips(kept).first)
        #expect(kept.count == 1 && trip.id == first.id && trip.end?.time == second.end)
        #expect(
            trip.distance == 7_200 && trip.movingTime == .seconds(1_200) && trip.climb == 24 && trip.topSpeed == 9.5)
        // An agent that has told the merged trip itself is not counted twice.
        #expect(corrections.apply(to: [kept[0], second]).kept == kept)
        #expect(corrections.apply(to: [kept[0]]).kept == kept)
    }

    @Test func `Merged visits last from the first arrival to the last departure`() {
        let (first, second) = (Routes.visit(0, 30), Routes.visit(40, nil, at: "Home"))
        let kept = Self.corrections([("visit", first, #"{"merge":"\#(second.id)"}"#)]).apply(to: [first, second]).kept
        #expect(kept.count == 1 && kept[0].id == first.id && kept[0].isOpen)
        #expect(kept.first?.recordContent.place?.name == "Home")
    }

    @Test func `A trip is split where the device was, and its figures in proportion to time`() throws {
        let trip = Routes.trip(0, 40)
        let corrections = Self.corrections([("trip", trip, #"{"split":"\#(Self.minute(10).rfc3339(.seconds))"}"#)])
        #expect(corrections.splits(of: [trip]) == [Self.minute(10)])
        let place = Coordinate(latitude: 53.6, longitude: 10.1)
        let parts = Self.trips(corrections.apply(to: [trip], places: [Self.minute(10): place]).kept)
        #expect(parts.map(\.distance) == [900, 2_700])
        #expect(parts.map { $0.end?.time } == [Self.minute(10), Self.minute(40)])
        #expect(parts.last?.start.coordinate == place)
        #expect(parts.first?.id == trip.id && parts.last?.id != trip.id)
        let again = Self.trips(corrections.apply(to: [trip]).kept)
        #expect(again.map(\.id) == parts.map(\.id))
    }

    @Test func `What makes no sense changes nothing`() {
        let (visit, trip, open) = (Routes.visit(0, 60), Routes.trip(60, 90), Routes.trip(100, nil))
        let wrong: [(String, HistoryEvent, String)] = [
            ("trip", visit, #"{"reject":true}"#), ("visit", visit, #"{"merge":"\#(trip.id)"}"#), ("visit", visit, "{}"),
            ("visit", visit, #"{"split":"2026-03-09T00:00:00Z"}"#),
            ("trip", open, #"{"split":"2026-03-01T02:00:00Z"}"#),
            ("visit", Routes.visit(7, 8), #"{"rename":"x"}"#), ("visit", visit, #"{"mode":"car"}"#),
            ("trip", trip, #"{"mode":"hovercraft"}"#), ("trip", trip, #"{"merge":"\#(trip.id)"}"#),
        ]
        for correction in wrong {
            #expect(
                Self.corrections([correction]).apply(to: [visit, trip, open]).kept == [visit, trip, open],
                "\(correction)")
        }
        for text in ["", "[]", "{", #"{"corrections":[1,{"id":"x"}]}"#] {
            #expect(EventCorrections(Array(text.utf8)).isEmpty)
        }
    }
}

extension RecordContent {
    /// The place of a visit.
    fileprivate var place: PlaceName? { if case .visit(let visit) = self { visit.place } else { nil } }
}
