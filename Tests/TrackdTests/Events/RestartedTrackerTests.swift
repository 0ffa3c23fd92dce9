import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// What a live track knows outlives the process.
@Suite("A restart of a live track") struct RestartedTrackerTests {
    private static let yaml = """
        tracking: {distanceFilter: 0, disableSpeedMultiplier: true}
        events: {visits: true, trips: true, actions: true}
        """

    @Test(arguments: EventBench.End.allCases)
    func `a trip that was asked for before the first fix begins with it`(_ end: EventBench.End) async throws {
        let store = InMemoryFixStore()
        let first = try EventBench(Self.yaml, on: store)
        try await first.run(end) {
            let isDone = try await first.tracker.perform(.startTrip(.bicycle))
            #expect(isDone)
        }
        let second = try EventBench(Self.yaml, on: store, at: 60)
        try await second.run(.kill) { try await second.feed(2, from: 0) }
        let trips = try await second.trips()
        #expect(trips.map(\.mode) == [.bicycle] && trips.first?.startedBy == .requested)
    }

    @Test func `the end of a pause that was told is told after a kill in it`() async throws {
        let store = InMemoryFixStore()
        let first = try EventBench(Self.yaml, on: store)
        try await first.run(.kill) {
            try await first.feed(5, from: 0)
            await first.tracker.pause()
        }
        let second = try EventBench(Self.yaml, on: store, at: 3_600)
        await second.tracker.pause()
        try await second.run(.kill) {
            await second.tracker.resume()
            await eventually("the end is told") {
                (try? await second.events().contains(.action(.resumed))) == true
            }
            try await second.feed(2, from: 4_000)
        }
        let third = try EventBench(Self.yaml, on: store, at: 7_200)
        try await third.run(.kill) { try await third.feed(2, from: 4_000) }
        let actions = try await third.events().filter { $0.kind == .action }
        #expect(actions == [.action(.paused), .action(.resumed)], "each once")
    }

    @Test func `the way up to an event counts once, and a kill loses no way before it`() async throws {
        let yaml = """
            tracking: {distanceFilter: 100, disableSpeedMultiplier: true}
            events: {visits: true, trips: true}
            """
        let store = InMemoryFixStore()
        let first = try EventBench(yaml, on: store)
        try await first.run(.kill) {
            try await first.feed(32, from: 0, speed: 4)
            // An event between two records.
            _ = try await first.tracker.perform(.startTrip(.bicycle))
        }
        let told = try await store.records(after: .zero, limit: 1_000).last
        let second = try EventBench(yaml, on: store, at: 320)
        try await second.run(.kill) { try await second.feed(30, from: 32 * 40, speed: 4) }
        let last = try #require(try await store.records(after: .zero, limit: 1_000).last { $0.kind == .location })
        let metres = (last.fix.coordinate.latitude - 0.5) * 110_574.4
        #expect(told?.kind == .trip)
        let shown = try #require(last.odometer)
        #expect(abs(shown - metres) < 10, "\(shown) of \(metres) m")
    }
}
