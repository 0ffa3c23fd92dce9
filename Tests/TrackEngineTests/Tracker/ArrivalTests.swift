import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// Live fixes have the moment at which they were received, however long they wait for the store.
@Suite("Arrival")
struct ArrivalTests {
    @Test
    func `fixes that waited while the store could not write keep the times between them`() async throws {
        let store = FailingStore()
        let harness = try TrackerHarness(store: store) {
            $0.neverRest()
            ($0.record, $0.interval, $0.disableSpeedMultiplier) = (.all, .seconds(10), true)
        }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            let output = await harness.source.output()
            store.fail(with: StoreError(.full, "disk full"))
            harness.clock.advance(by: .seconds(10))
            async let stalled: Void = output.emit(Road.fix(10, metres: 100))
            await eventually("the store is tried") { store.failures >= 1 }
            // Three more come, ten seconds apart, and are handed over together when the store works again.
            var waiting: [ReceivedFix] = []
            for number in 2...4 {
                harness.clock.advance(by: .seconds(10))
                waiting.append(output.received(Road.fix(Double(number) * 10, metres: Double(number) * 100)))
            }
            store.fail(with: nil)
            try await harness.letTimePass(until: "stored") { try await harness.stored().count == 2 }
            try await stalled
            try await output.emit(contentsOf: waiting)
            #expect(try await harness.stored().map { $0.prefix { $0 != ":" } } == ["0", "10", "20", "30", "40"])
        }
    }

    @Test
    func `a store that cannot write for a minute makes no stop of the drive that waits for it`() async throws {
        let store = FailingStore()
        let harness = try TrackerHarness(store: store) { $0.disableSpeedMultiplier = true }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            store.fail(with: StoreError(.full, "disk full"))
            async let stalled: Void = harness.source.feed(Road.fix(1, metres: 30, speed: 30))
            await eventually("the store is tried") { store.failures >= 1 }
            async let waiting: Void = harness.source.feed(Road.fix(2, metres: 60, speed: 30))
            for _ in 0..<90 { harness.clock.advance(by: .seconds(1)) }
            store.fail(with: nil)
            try await harness.letTimePass(until: "stored") { try await harness.stored().count >= 3 }
            _ = try await (stalled, waiting)
            for _ in 0..<130 { harness.clock.advance(by: .seconds(1)) }
            try await harness.source.feed(Road.fix(200, metres: 6000, speed: 30))
            #expect(
                try await harness.stored()
                    == ["0: first, moves", "1: distance, moves", "2: distance, moves", "200: distance, moves"])
        }
    }

    @Test
    func `a source that gives one fix a minute, as it is asked for, drives without a stop`() async throws {
        let harness = try TrackerHarness { $0.desiredAccuracy = .threeKilometers }
        try await harness.run {
            for minute in 0..<13 {
                try await harness.source.feed(Road.fix(Double(minute) * 60, metres: Double(minute) * 1800, speed: 30))
                for _ in 0..<60 { harness.clock.advance(by: .seconds(1)) }
            }
            #expect(
                try await harness.stored()
                    == ["0: first, moves"] + (1..<13).map { "\($0 * 60): distance, moves" })
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `on the real clock, a parked live source comes to rest once and then to standby`() async throws {
        let store = InMemoryFixStore()
        let source = FedSource()
        let tracker = try Tracker.make(store: store, sources: [source]) {
            ($0.recording.stillAfter, $0.recording.standbyAfter) = (.milliseconds(200), .milliseconds(300))
            $0.wallClock = { Road.start }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            let output = await source.output()
            var second = 0.0
            while output.demand == .continuous {
                try await output.emit(Road.fix(second, speed: 0))
                second += 0.001
            }
            let records = try await store.records(after: .zero, limit: 9)
            #expect(records.map(\.cause) == [.first, .still])
            await tracker.stop()
            try await group.waitForAll()
        }
    }
}
