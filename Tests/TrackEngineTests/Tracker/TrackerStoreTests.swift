import Testing
import TrackEngine
import TrackEngineTestKit

/// What a tracker asks of its store, and remembers of it, from one run to the next.
@Suite(.timeLimit(.minutes(30))) struct TrackerStoreTests {
    /// A tracker whose rule leaves fixes undecided until a sync or a stop.
    private static func harness(_ store: FailingStore) throws -> TrackerHarness {
        try TrackerHarness(store: store) {
            ($0.record, $0.maximumInterval) = (.deviation, .zero)
            $0.neverRest()
        }
    }

    @Test func `a sync that ends during a stop leaves the stop its haste, and the next run begins without`()
        async throws
    {
        let store = FailingStore()
        let harness = try Self.harness(store)
        try await harness.run {
            try await harness.source.feed(Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20))
            store.hold(.append)
            let sync = Task { await harness.tracker.sync() }  // waits for the store until the stop has begun
            await eventually("the sync stores") { store.heldCalls(.append) == 1 }
            let stop = Task { await harness.tracker.stop() }
            await eventually("the stop has begun") { store.askedToHurry.count == 3 }
            store.release(.append)
            await sync.value
            #expect(store.askedToHurry == [false, true, true])
            await stop.value
        }
        try await harness.run {
            await eventually("the next run has begun") { store.askedToHurry.count == 4 }
            await eventually("it can sync") { await harness.tracker.state == .running }
            await harness.tracker.sync()
            #expect(store.askedToHurry == [false, true, true, false, true, false])
        }
    }

    @Test func `a run does not show why the store failed in the run before`() async throws {
        let store = FailingStore()
        let harness = try Self.harness(store)
        let tracker = harness.tracker
        try await harness.crash {
            store.fail(with: StoreError(.full, "for the test"))
            let output = await harness.source.output()
            let feeding = Task { try await output.emit(Road.fix(0)) }
            await eventually("the failure shows") { await tracker.status().storeFailure != nil }
            feeding.cancel()
        }
        store.fail(with: nil)
        try await harness.crash {
            await eventually("the second run has begun") { await tracker.state == .running }
            await eventually("the source is asked for fixes") { await tracker.status().sources.count == 1 }
            #expect(await tracker.status().storeFailure == nil)
        }
    }
}
