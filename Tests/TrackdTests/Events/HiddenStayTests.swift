import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// A restart where the object is hidden reveals nothing of its stay.
@Suite("A stay where the object is hidden") struct HiddenStayTests {
    /// What hides the home, whose edge is at 1 500 m.
    static let hiding = ["privacy: cut", "tracking: off"]

    private static func yaml(_ hiding: String) -> String {
        """
        tracking: {distanceFilter: 0, disableSpeedMultiplier: true}
        events:
          visits: true
          trips: true
          places:
            - {name: Home, latitude: \(EventBench.coordinate(2000).latitude), longitude: 10, radius: 500, \(hiding)}
        """
    }

    /// A drive that ends at home, a run after the other, and a morning that begins at the edge.
    private static func night(
        _ hiding: String, _ end: EventBench.End, restarts: Int, on store: InMemoryFixStore
    ) async throws -> EventBench {
        let evening = try EventBench(yaml(hiding), on: store)
        try await evening.run(end) {
            try await evening.feed(30, from: -1_000, speed: 8.3)  // up to 1 407 m
            try await evening.feed(2, from: 1_488)
            try await evening.feed(6, from: 1_550, speed: 8)
        }
        for restart in 0..<restarts {
            let bench = try EventBench(yaml(hiding), on: store, at: 3_600 * Int64(restart + 1))
            try await bench.run(end) { try await bench.feed(3, from: 1_900) }
        }
        let morning = try EventBench(yaml(hiding), on: store, at: 36_000)
        try await morning.run(.stop) {
            try await morning.feed(3, from: 1_490)
            try await morning.feed(60, from: 1_480, speed: -8.3)
            try await morning.feed(60, from: -3_500)
        }
        return morning
    }

    @Test(arguments: hiding, EventBench.End.allCases)
    func `tells no visit afterwards, however often it was restarted there`(
        _ hiding: String, _ end: EventBench.End
    ) async throws {
        for restarts in 0...2 {
            let store = InMemoryFixStore()
            let bench = try await Self.night(hiding, end, restarts: restarts, on: store)
            let visits = try await bench.visits()
            #expect(visits.allSatisfy { $0.centre.latitude < EventBench.coordinate(-3_000).latitude }, "\(visits)")
            #expect(Set(visits.map(\.id)).count == 1, "the stay of the morning is found")
        }
    }

    @Test(arguments: hiding, EventBench.End.allCases)
    func `tells no visit of a run that has seen nothing but what is hidden`(
        _ hiding: String, _ end: EventBench.End
    ) async throws {
        let store = InMemoryFixStore()
        let evening = try EventBench(Self.yaml(hiding), on: store)
        try await evening.run(.stop) { try await evening.feed(30, from: -1_000, speed: 8.3) }
        let night = try EventBench(Self.yaml(hiding), on: store, at: 600)
        try await night.run(end) { try await night.feed(3, from: 1_900) }
        let morning = try EventBench(Self.yaml(hiding), on: store, at: 36_000)
        try await morning.run(end) {
            try await morning.feed(5, from: 1_420)
            try await morning.feed(60, from: 1_400, speed: -8.3)
        }
        #expect(try await morning.visits().isEmpty)
    }

    @Test(arguments: hiding, EventBench.End.allCases)
    func `a visit at the edge ends before the night, and a coarse fix of the morning uncovers nothing`(
        _ hiding: String, _ end: EventBench.End
    ) async throws {
        let store = InMemoryFixStore()
        let evening = try EventBench(Self.yaml(hiding), on: store)
        try await evening.run(end) {
            try await evening.feed(30, from: -1_000, speed: 8.3)
            try await evening.feed(30, from: 1_480)
            try await evening.feed(6, from: 1_550, speed: 8)
        }
        let morning = try EventBench(Self.yaml(hiding), on: store, at: 36_000)
        try await morning.run(.stop) {
            try await morning.feed(1, from: 1_000, accuracy: 300)
            try await morning.feed(2, from: 1_480)
            try await morning.feed(60, from: 1_470, speed: -8.3)
        }
        let visits = try await morning.visits()
        let night = EventBench.start.advanced(by: .seconds(600))...EventBench.start.advanced(by: .seconds(35_999))
        #expect(Set(visits.map(\.id)).count == 1)
        #expect(visits.last?.departure.map { $0 < night.lowerBound } == true, "\(visits)")
    }

    @Test(arguments: hiding, EventBench.End.allCases)
    func `no hidden position is in what the next run is given`(_ hiding: String, _ end: EventBench.End) async throws {
        let store = InMemoryFixStore()
        let bench = try EventBench(Self.yaml(hiding), on: store)
        try await bench.run(end) {
            try await bench.feed(30, from: -1_000, speed: 8.3)
            try await bench.feed(6, from: 1_750, speed: 8)
        }
        let states = try await store.detectorStates().values
        #expect(!states.isEmpty)
        for step in 0..<6 {
            let latitude = EventBench.coordinate(1_750 + Double(step) * 80).latitude
            let bytes = withUnsafeBytes(of: latitude.bitPattern.littleEndian) { Data($0) }
            #expect(states.allSatisfy { Data($0).range(of: bytes) == nil })
        }
    }

    @Test(arguments: EventBench.End.allCases)
    func `a restart where nothing is hidden still finds the stay`(_ end: EventBench.End) async throws {
        let store = InMemoryFixStore()
        let evening = try EventBench(Self.yaml("privacy: cut"), on: store)
        try await evening.run(end) {
            try await evening.feed(60, from: -6_000, speed: 8.3)
            try await evening.feed(3, from: -1_000)
        }
        let morning = try EventBench(Self.yaml("privacy: cut"), on: store, at: 3_000)
        try await morning.run(.stop) { try await morning.feed(3, from: -1_000) }
        let visits = try await morning.visits()
        #expect(Set(visits.map(\.id)).count == 1)
        #expect(visits.first.map { $0.arrival < EventBench.start.advanced(by: .seconds(640)) } == true)
    }
}
