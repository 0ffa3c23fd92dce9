import Testing
import TrackEngine
import TrackEngineTestKit

/// A queue of records that one sink delivers, on a manual clock, until nothing more comes of it.
struct QueueRun {
    let harness: TrackerHarness
    let sink: ScriptedSink

    init(_ count: Int, to sink: ScriptedSink, batchSize: Int = 250) async throws {
        self.sink = sink
        let store = InMemoryFixStore()
        _ = try await store.append(SampleRecords.records(count: count).map(\.draft), checkpoint: nil)
        harness = try TrackerHarness(
            store: store, sinks: [SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 1, maxBatchSize: batchSize))]
        )
    }

    /// How many deliveries there were, and how many records they carried.
    var cost: (requests: Int, uploads: Int) {
        (sink.deliveries.count, sink.deliveries.reduce(0) { $0 + $1.records.count })
    }

    /// Delivers until the queue is empty; the last records may wait when each of them is rejected.
    func untilDelivered(but waiting: Int = 0) async throws {
        try await harness.run {
            try await eventually("nothing waits", within: .seconds(120)) {
                harness.clock.advance(by: .seconds(200))
                return try await harness.store.backlog(of: sink.id).count <= waiting
            }
        }
    }

    /// Lets so much time pass.
    func forTime(_ time: Duration) async throws {
        try await harness.run {
            let start = harness.clock.now
            await eventually("the time is over", within: .seconds(120)) {
                harness.clock.advance(by: .seconds(20))
                return harness.clock.now.offset - start.offset > time
            }
        }
    }

    func dead() async throws -> [DeadLetter] { try await harness.store.deadLetters(of: sink.id) }
}
