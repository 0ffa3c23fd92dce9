import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("A broker that takes nothing, and how far a delivery has come")
struct TotalRefusalTests {
    @Test
    func `A broker whose packet limit is below every record makes a pause that says so, and no dead letter`()
        async throws
    {
        let tiny: [UInt8] = [0x27, 0, 0, 0, 40]  // at most 40 bytes a packet
        let broker = try FakeBroker(.takes(properties: tiny) { _ in 0 })
        defer { broker.stop() }
        let store = InMemoryFixStore()
        _ = try await store.append(SampleRecords.records(count: 60).map(\.draft), checkpoint: nil)
        let sink = try Samples.sink(port: broker.port)
        let binding = SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 1, maxBatchSize: 10))
        let tracker = try Tracker.make(store: store, sources: [], sinks: [binding]) {
            $0.wallClock = { SampleRecords.record(60).fix.time }
        }
        let run = Task { try await tracker.run() }
        await eventually("a pause") {
            await tracker.syncState(of: sink.id)?.activity == .paused
        }
        let state = await tracker.syncState(of: sink.id)
        #expect(state?.failure?.contains("takes no record") == true)
        #expect(state?.refused == 0 && state?.lastSuccess == nil)
        run.cancel()
        _ = try? await run.value  // cancelled
        await sink.close()
        #expect(try await store.deadLetters(of: sink.id) == [])
        #expect(try await store.backlog(of: sink.id).count == 60)
    }

    @Test
    func `What the broker has acknowledged is reported while the delivery waits for the rest`() async throws {
        let records = SampleRecords.records(count: 12)
        let acknowledged = Set(records.prefix(5).map(\.id.description))
        let broker = try FakeBroker(.takes { acknowledged.contains($0) ? 0 : nil })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let confirmed = Mutex(0)
        let report = { @Sendable (count: Int) in confirmed.withLock { $0 = max($0, count) } }
        let delivery = Task { try await sink.deliver(RecordBatch(records: records), reporting: report) }
        await eventually("five are reported") { confirmed.withLock { $0 } == 5 }
        delivery.cancel()
        _ = try? await delivery.value  // cancelled
        await sink.close()
        #expect(confirmed.withLock { $0 } == 5)
    }

    @Test
    func `A message that the broker refuses ends what is reported`() {
        var progress = DeliveryProgress(count: 3)
        for _ in 0..<3 { progress.sent() }
        progress.concluded(0, .taken)
        progress.concluded(1, .dead("no"))
        progress.concluded(2, .taken)
        #expect(progress.confirmed == 1)
        #expect(progress.result?.settled == 3)
    }
}
