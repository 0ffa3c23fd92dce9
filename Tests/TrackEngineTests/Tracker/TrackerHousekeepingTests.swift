import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

@Suite struct TrackerHousekeepingTests {
    private static let retention = RetentionConfiguration(maxDaysToPersist: 7)

    /// A store that holds five records of the start of the road, which no sink has had.
    private func filledStore() async throws -> InMemoryFixStore {
        let store = InMemoryFixStore()
        let drafts = (0..<5).map { number in
            let fix = Road.fix(Double(number))
            return RecordDraft(
                id: RecordID(device: "van-7", source: "old", fix: fix, cause: .distance), fix: fix, isMoving: true,
                cause: .distance, source: "old")
        }
        _ = try await store.append(drafts, checkpoint: nil)
        return store
    }

    private func tracker(
        _ store: any FixStore, clock: ManualClock, daysAhead: Int, source: FedSource = FedSource(),
        sinks: [SinkBinding] = []
    ) throws -> Tracker {
        try Tracker.make(store: store, sources: [source], sinks: sinks) {
            ($0.retention, $0.clock) = (Self.retention, clock)
            $0.wallClock = { Road.start.advanced(by: .seconds(86_400 * daysAhead) + clock.now.offset) }
        }
    }

    @Test(arguments: [8, 30, 370, 373])
    func `a clock that is days ahead at the start drops nothing that no sink has had`(_ days: Int) async throws {
        let store = try await filledStore()
        let clock = ManualClock()
        let tracker = try tracker(store, clock: clock, daysAhead: days)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            await eventually("the tracker runs") { await tracker.status().sources.count == 1 }
            for _ in 0..<5 {
                clock.advance(by: .seconds(3600))
                await Task.yield()
            }
            #expect(try await store.status().count == 5)
            #expect(try await store.status().dropped == 0)
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(try await store.status().dropped == 0)
    }

    @Test func `aged records are dropped once a live fix confirms the clock`() async throws {
        let store = try await filledStore()
        let (clock, source) = (ManualClock(), FedSource())
        let tracker = try tracker(store, clock: clock, daysAhead: 8, source: source)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            await eventually("the tracker runs") { await tracker.status().sources.count == 1 }
            try await source.feed(Road.fix(8 * 86_400))
            try await eventually("the aged ones are dropped") {
                clock.advance(by: .seconds(600))
                return try await store.status().dropped == 5
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func `a round of housekeeping that fails is forgotten when the next one succeeds`() async throws {
        let store = FailingStore()
        let clock = ManualClock()
        let tracker = try tracker(store, clock: clock, daysAhead: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            await eventually("the tracker runs") { await tracker.status().sources.count == 1 }
            store.failPruning(with: StoreError(.full, "for the test"))
            await eventually("the failure is told") {
                clock.advance(by: .seconds(600))
                return await tracker.status().storeFailure?.contains("for the test") == true
            }
            store.failPruning(with: nil)
            await eventually("the failure is forgotten") {
                clock.advance(by: .seconds(600))
                return await tracker.status().storeFailure == nil
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
