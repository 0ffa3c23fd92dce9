import Testing
import TrackEngine
import TrackEngineTestKit

@Suite struct RecordContextTests {
    private static func place(_ number: Int) -> PlaceName { PlaceName(id: "p\(number)", name: "Place \(number)") }

    @Test func `there is no context of nothing, and one of many places has the last sixteen`() throws {
        #expect(RecordContext(places: []) == nil)
        let places = (0..<20).map(Self.place)
        #expect(RecordContext(places: places)?.places == Array(places[4...]))
    }

    @Test func `a context that says the same stays the same, and takes a word`() {
        let first = RecordContext(places: [Self.place(1)])
        #expect(RecordContext.updated(first, places: [Self.place(1)], trip: nil) == first)
        #expect(RecordContext.updated(first, places: [Self.place(2)], trip: nil) != first)
        #expect(RecordContext.updated(first, places: [], trip: nil) == nil)
        #expect(MemoryLayout<RecordContext?>.size == MemoryLayout<UnsafeRawPointer>.size)
    }

    @Test func `a record has the places of its own fix, however late it is decided`() async throws {
        let harness = try TrackerHarness(detector: MilestoneDetector()) {
            $0.neverRest()
            $0.record = .deviation
        }
        try await harness.run {
            // A straight way: only its ends are needed, and the first turn decides those before it.
            for second in 0..<40 {
                try await harness.source.feed(
                    Road.fix(Double(second), metres: 30 * Double(second), speed: 30))
            }
            #expect(await harness.tracker.status().sources.first?.context?.places.map(\.id) == ["p3"])
        }
        let records = try await harness.store.records(after: .zero, limit: 100)
        #expect(!records.isEmpty)
        for record in records {
            let second = Int(record.fix.time.duration(since: Road.start) / .seconds(1))
            #expect(record.context?.places == [Self.place(second / 10)])
        }
    }

    @Test func `an event has what is known after it, and who has no detector has no context`() async throws {
        for hasDetector in [true, false] {
            let harness = try TrackerHarness(detector: hasDetector ? MilestoneDetector() : nil) { $0.neverRest() }
            try await harness.run {
                for second in 0..<12 {
                    try await harness.source.feed(Road.fix(Double(second), metres: 100 * Double(second)))
                }
            }
            let records = try await harness.store.records(after: .zero, limit: 100)
            let events = records.filter { $0.kind == .heartbeat }
            #expect(events.map(\.context?.places) == (hasDetector ? [[Self.place(0)], [Self.place(1)]] : []))
            #expect(records.allSatisfy { ($0.context != nil) == hasDetector })
            #expect((await harness.tracker.status().sources.first?.context != nil) == hasDetector)
        }
    }

    @Test func `what a detector resumes with is known before the first fix`() async throws {
        let store = InMemoryFixStore()
        let first = try TrackerHarness(store: store, detector: MilestoneDetector()) { $0.neverRest() }
        try await first.run { try await first.source.feed(Road.fix(25)) }
        let second = try TrackerHarness(store: store, detector: MilestoneDetector()) { $0.neverRest() }
        try await second.run {
            await eventually("the state is read") {
                await second.tracker.status().sources.first?.context?.places == [Self.place(2)]
            }
        }
    }

    @Test func `of more changes than are remembered the oldest go`() {
        var history = ContextHistory()
        for number in 0..<ContextHistory.limit * 2 {
            history.note(
                RecordContext(places: [Self.place(number)]), at: Timestamp(secondsSince1970: Int64(number)))
        }
        let last = ContextHistory.limit * 2 - 1
        #expect(history.current?.places == [Self.place(last)])
        #expect(history.context(at: Timestamp(secondsSince1970: Int64(last) - 1))?.places == [Self.place(last - 1)])
        #expect(history.context(at: Timestamp(secondsSince1970: 0))?.places == [Self.place(ContextHistory.limit)])
    }
}

/// The object is at another place every ten seconds, and a heartbeat tells of each.
private struct MilestoneDetector: EventDetector {
    private var place: PlaceName?

    mutating func observe(_ observed: DetectorFix, report: (DetectorEvent) -> Void) {
        let number = Int(observed.fix.time.duration(since: Road.start) / .seconds(1)) / 10
        let here = PlaceName(id: "p\(number)", name: "Place \(number)")
        guard here != place else { return }
        place = here
        report(DetectorEvent(.heartbeat, at: observed.fix))
    }

    mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {}

    var deadline: Timestamp? { nil }
    var context: RecordContext? { place.flatMap { RecordContext(places: [$0]) } }
    var state: [UInt8] { Array((place?.id ?? "").utf8.dropFirst()) }

    mutating func resume(from state: [UInt8]) -> Bool {
        let number = String(decoding: state, as: UTF8.self)
        place = number.isEmpty ? nil : PlaceName(id: "p" + number, name: "Place " + number)
        return true
    }
}
