import Testing
import TrackEngine
import TrackEngineTestKit

/// What a track tells of the tracker and its machine.
@Suite struct TrackerEventsTests {
    private static func words(_ store: any FixStore) async throws -> [String] {
        try await store.records(after: .zero, limit: 100).map { record in
            if case .action(let action) = record.content { action.name } else { record.kind.name }
        }
    }

    @Test func `a pause, its end and the stop are told where the object was, in order`() async throws {
        let harness = try TrackerHarness(ownEvents: .action) { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            harness.clock.advance(by: .seconds(100))
            await harness.tracker.pause()
            await harness.tracker.pause(for: .seconds(3600))  // a pause that is changed has been told of
            try? await harness.source.feed(Road.fix(110, metres: 700))  // dropped
            harness.clock.advance(by: .seconds(60))
            await harness.tracker.resume()
            try await eventually("the end is told") { try await harness.stored().count == 3 }
            try await harness.source.feed(Road.fix(170, metres: 5000))
        }
        #expect(
            try await Self.words(harness.store) == [
                "location", "paused_location_updates", "resumed_location_updates", "location", "will_terminate",
            ])
        let records = try await harness.store.records(after: .zero, limit: 100)
        #expect(records[1].fix.coordinate == Road.fix(0).coordinate)
        #expect(records[1].fix.time == Road.start.advanced(by: .seconds(100)))
        #expect(records[2].fix.coordinate == Road.fix(0).coordinate, "nothing is known of the way since")
        #expect(records[4].fix.coordinate == Road.fix(170, metres: 5000).coordinate)
        #expect(records.allSatisfy { $0.kind == .location || $0.cause == .detected })
        #expect(Set(records.map(\.id)).count == records.count)
    }

    @Test func `nothing is told before the first fix, of a recording, and unless it is asked for`() async throws {
        for (kinds, source, isFed) in [
            (RecordKinds.action, FedSource(), false), ([], FedSource(), true), (.power, FedSource(), true),
            (.action, FedSource(timeBase: .fixTime), true),
        ] {
            let harness = try TrackerHarness(source: source, ownEvents: kinds) { $0.neverRest() }
            try await harness.run {
                if isFed { try await harness.source.feed(Road.fix(0)) }
                await harness.tracker.pause()
                await harness.tracker.resume()
            }
            #expect(try await Self.words(harness.store).allSatisfy { $0 == "location" })
        }
    }

    @Test func `a stop in a pause tells nothing of where the object is`() async throws {
        let harness = try TrackerHarness(ownEvents: .action) { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            await harness.tracker.pause()
        }
        #expect(try await Self.words(harness.store) == ["location", "paused_location_updates"])
    }

    @Test func `another state of the power supply is told once, with the state in it, and the first one is no news`()
        async throws
    {
        let state = SystemMutex(HostStatus.BatteryState.charging)
        let harness = try TrackerHarness(ownEvents: .power, battery: state) { $0.neverRest() }
        let states: [HostStatus.BatteryState] = [.charging, .charging, .unplugged, .unknown, .unplugged, .full]
        try await harness.run {
            for (second, next) in states.enumerated() {
                state.withLock { $0 = next }
                try await harness.source.feed(Road.fix(Double(second), metres: 100 * Double(second)))
            }
        }
        let records = try await harness.store.records(after: .zero, limit: 100).filter { $0.kind == .power }
        #expect(records.map(\.host?.batteryState) == [.unplugged, .full])
    }

    @Test func `what is told changes while the tracker runs`() async throws {
        let harness = try TrackerHarness { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            await harness.tracker.tell(.action)
        }
        #expect(try await Self.words(harness.store) == ["location", "will_terminate"])
    }
}
