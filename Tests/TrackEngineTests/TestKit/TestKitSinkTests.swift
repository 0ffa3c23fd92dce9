import Testing
import TrackEngine
import TrackEngineTestKit

@Suite("Sinks of the TestKit")
struct TestKitSinkTests {
    private let batch = RecordBatch(records: SampleRecords.records(count: 3))

    @Test func `a recording sink settles and remembers`() async throws {
        let sink = RecordingSink()
        #expect(try await sink.deliver(batch) == Receipt(settled: 3))
        await sink.records(atLeast: 3)
        #expect(sink.batches == [batch] && sink.records == batch.records)
    }

    @Test func `a recording sink wakes who waits for records`() async throws {
        let sink = RecordingSink()
        async let waiting: Void = sink.records(atLeast: 6)
        _ = try await sink.deliver(batch)
        _ = try await sink.deliver(batch)
        await waiting
        #expect(sink.records.count == 6)
    }

    @Test func `a recording sink knows that it was closed`() async {
        let sink = RecordingSink()
        #expect(!sink.isClosed)
        await sink.close()
        #expect(sink.isClosed)
    }

    @Test func `a scripted sink answers in order and settles when the script is over`() async throws {
        let failure = DeliveryError(.smaller, "413")
        let bad = batch.records[1].id
        let sink = ScriptedSink([
            .fail(failure), .settleFirst(2), .refuse([bad: "bad", RecordID(rawValue: 1): "other"]),
        ])
        await #expect(throws: failure) { try await sink.deliver(batch) }
        #expect(try await sink.deliver(batch) == Receipt(settled: 2))
        #expect(try await sink.deliver(batch) == Receipt(settled: 3, refused: [bad: "bad"]))
        #expect(try await sink.deliver(batch) == Receipt(settled: 3))
        #expect(sink.deliveries.count == 4)
    }

    @Test func `a scripted sink follows its rule after the script`() async throws {
        let sink = ScriptedSink([.settle]) { $0.records.count > 2 ? .fail(DeliveryError(.smaller, "413")) : .settle }
        #expect(try await sink.deliver(batch) == Receipt(settled: 3))
        await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
    }

    @Test func `a scripted sink that hangs ends with its task`() async {
        let sink = ScriptedSink([.hang])
        let delivery = Task { try await sink.deliver(batch) }  // cancelled below, which a child task could not be alone
        await sink.deliveries(atLeast: 1)
        delivery.cancel()
        await #expect(throws: DeliveryError(.retry(), "cancelled")) { try await delivery.value }
    }
}
