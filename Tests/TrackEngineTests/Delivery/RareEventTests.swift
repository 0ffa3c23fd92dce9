import Testing
import TrackEngine
import TrackEngineTestKit

/// A webhook of events, which are rare among the records.
@Suite("A refused event among very many positions", .timeLimit(.minutes(15)))
struct RareEventTests {
    /// A sink of transitions that refuses some of them.
    private struct EventSink: FixSink {
        let inner: ScriptedSink
        let kinds = RecordKinds.transition
        var id: SinkID { inner.id }

        func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt { try await inner.deliver(batch) }
    }

    private static func event(_ number: Int) -> RecordDraft {
        let fix = SampleRecords.record(number).fix
        let content = RestingDetector.transition(.enter, at: fix)
        let id = RecordID(device: "sample", source: "events", fix: fix, cause: .distance)
        return RecordDraft(id: id, fix: fix, isMoving: false, cause: .distance, source: "sample", content: content)
    }

    /// So many records of which those with some numbers are events.
    private static func drafts(_ count: Int, events: Set<Int>) -> [RecordDraft] {
        (1...count).map { events.contains($0) ? event($0) : SampleRecords.record($0).draft }
    }

    @Test(arguments: [[1, 30_000], [2, 29_000, 29_500, 30_000], [100, 101, 15_000, 29_999]])
    func `It is found with a few requests, and pins nothing`(_ events: [Int]) async throws {
        let poison = Int64(events[0])
        let sink = ScriptedSink(then: { batch in
            batch.records.contains { $0.sequence.rawValue == poison }
                ? .fail(DeliveryError(.rejected, "HTTP 422: no such place")) : .settle
        })
        let store = InMemoryFixStore()
        _ = try await store.append(Self.drafts(30_000, events: Set(events)), checkpoint: nil)
        let binding = SinkBinding(
            EventSink(inner: sink), sync: SyncConfiguration(syncThreshold: 1, maxBatchSize: 250))
        let harness = try TrackerHarness(store: store, sinks: [binding])
        try await harness.run {
            // Without the clock: nothing is waited for.
            try await eventually("nothing waits") {
                try await store.backlog(of: sink.id).count == 0
            }
        }
        #expect(try await store.deadLetters(of: sink.id).map(\.record.sequence.rawValue) == [poison])
        #expect(sink.deliveries.count <= 10 + events.count, "\(sink.deliveries.count)")
        #expect(await harness.sync(sink.id).delivered == events.count - 1)
    }

    @Test func `A store finds records by their kind, as one that reads all does`() async throws {
        let events: Set<Int> = [3, 999, 1_000, 1_001, 2_500]
        let store = InMemoryFixStore()
        let all = try await store.append(Self.drafts(2_600, events: events), checkpoint: nil)
        for (place, limit) in [(0, 10), (0, 2), (3, 2), (998, 1), (2_500, 5), (1_000, 0)] {
            let sequence = RecordSequence(rawValue: Int64(place))
            let expected = all.filter { $0.kind == .transition && $0.sequence > sequence }.prefix(limit)
            #expect(try await store.records(after: sequence, kinds: .transition, limit: limit) == Array(expected))
            let reading = ReadingStore(inner: store)
            #expect(try await reading.records(after: sequence, kinds: .transition, limit: limit) == Array(expected))
        }
    }
}

/// A store that finds records of a kind by reading all.
private struct ReadingStore: RecordLog {
    let inner: InMemoryFixStore

    func append(_ drafts: [RecordDraft], checkpoint: SourceCheckpoint?) async throws(StoreError) -> [TrackRecord] {
        try await inner.append(drafts, checkpoint: checkpoint)
    }

    func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord] {
        try await inner.records(after: sequence, limit: limit)
    }

    func checkpoints() async throws(StoreError) -> [SourceCheckpoint] { try await inner.checkpoints() }
    func forgetCheckpoints() async throws(StoreError) {}
}
