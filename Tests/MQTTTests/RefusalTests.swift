import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("Messages that the broker refuses")
struct RefusalTests {
    private let records = SampleRecords.records(count: 30)

    private func deliver(
        to manner: FakeBroker.Manner, format: PlainFormat = PlainFormat()
    ) async throws -> (Result<Receipt, DeliveryError>, FakeBroker) {
        let broker = try FakeBroker(manner)
        let sink = try Samples.sink(port: broker.port, format: format)
        let result: Result<Receipt, DeliveryError>
        do throws(DeliveryError) { result = .success(try await sink.deliver(RecordBatch(records: records))) } catch {
            result = .failure(error)
        }
        await sink.close()
        broker.stop()
        return (result, broker)
    }

    @Test(
        arguments: [0x83, 0x90, 0x95, 0x99])
    func `A refusal of the content makes that record dead, and the rest is delivered`(_ reason: UInt8) async throws {
        let bad = records[7].id
        let (result, broker) = try await deliver(to: .takes { $0 == "\(bad)" ? reason : 0 })
        let receipt = try result.get()
        #expect(receipt.settled == 30)
        #expect(Array(receipt.refused.keys) == [bad])
        #expect(receipt.refused[bad]?.contains(ReasonCode.name(reason)) == true)
        #expect(broker.payloads.count == 30)
    }

    @Test
    func `A denial of some records is about them when the broker takes what was sent behind them`() async throws {
        let bad = [records[7].id, records[8].id, records[20].id]
        let denied = Set(bad.map(\.description))
        let (result, broker) = try await deliver(to: .takes { denied.contains($0) ? 0x87 : 0 })
        let receipt = try result.get()
        #expect(receipt.settled == 30 && Set(receipt.refused.keys) == Set(bad))
        expectMessage(receipt.refused[bad[0]])
        #expect(broker.payloads.count == 30, "each once")
    }

    @Test
    func `Without permission the sink pauses; what was acknowledged before stays settled`() async throws {
        let taken = Set(records.prefix(7).map(\.id.description))
        let (result, _) = try await deliver(to: .takes { taken.contains($0) ? 0 : 0x87 })
        #expect(try result.get() == Receipt(settled: 7))
        let (first, _) = try await deliver(to: .takes { _ in 0x87 })
        #expect(throws: DeliveryError(.needsOperator, "the broker refused the message: not authorized (0x87)")) {
            try first.get()
        }
    }

    @Test(
        arguments: [
            (0x97, DeliveryError.Recovery.retry(evidence: .silence)), (0x80, .retry(evidence: .failure)),
            (0x91, .retry()),
        ] as [(UInt8, DeliveryError.Recovery)])
    func `Other reasons are tried again`(_ reason: UInt8, _ recovery: DeliveryError.Recovery) async throws {
        let (result, _) = try await deliver(to: .takes { _ in reason })
        let error = #expect(throws: DeliveryError.self) { try result.get() }
        #expect(error?.recovery == recovery)
    }

    @Test(arguments: [0x80, 0x97, 0x91] as [UInt8])
    func `Behind a message that failed, nothing is sent again and again`(_ reason: UInt8) async throws {
        let bad = "\(records[7].id)"
        let broker = try FakeBroker(.takes { $0 == bad ? reason : 0 })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        #expect(try await sink.deliver(RecordBatch(records: records)) == Receipt(settled: 7))
        let rest = RecordBatch(records: Array(records[7...]))
        for _ in 1...5 { await #expect(throws: DeliveryError.self) { try await sink.deliver(rest) } }
        let behind = Dictionary(grouping: broker.payloads.filter { $0 != bad }, by: \.self).filter { $1.count > 1 }
        #expect(broker.payloads.count { $0 == bad } == 6 && behind.isEmpty, "\(behind)")
        broker.become(.takes { _ in 0 })
        #expect(try await sink.deliver(rest) == .all(of: rest))
        await sink.close()
    }

    @Test
    func `A denial is told from a lack of permission also while messages go one by one`() async throws {
        let bad = "\(records[7].id)"
        let broker = try FakeBroker(.takes { $0 == bad ? 0x80 : 0 })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        #expect(try await sink.deliver(RecordBatch(records: records)) == Receipt(settled: 7))
        broker.become(.takes { $0 == bad ? 0x87 : 0 })
        let receipt = try await sink.deliver(RecordBatch(records: Array(records[7...])))
        #expect(receipt.settled == 23 && Array(receipt.refused.keys) == [records[7].id])
        await sink.close()
    }

    @Test
    func `A record that the broker denies among others is dead without a pause, and the rest is delivered`()
        async throws
    {
        let bad = records[7]
        let broker = try FakeBroker(.takes { $0 == "\(bad.id)" ? 0x87 : 0 })
        defer { broker.stop() }
        let store = InMemoryFixStore()
        _ = try await store.append(records.map(\.draft), checkpoint: nil)
        let sink = try Samples.sink(port: broker.port)
        let binding = SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 1, maxBatchSize: 10))
        let tracker = try Tracker.make(store: store, sources: [], sinks: [binding]) {
            $0.wallClock = { SampleRecords.record(60).fix.time }
        }
        let run = Task { try await tracker.run() }
        try await eventually("nothing waits") {  // a pause takes longer
            try await store.backlog(of: sink.id).count == 0
        }
        run.cancel()
        _ = try? await run.value  // cancelled
        await sink.close()
        #expect(try await store.deadLetters(of: sink.id).map(\.record.id) == [bad.id])
    }

    @Test
    func `That nobody subscribes is a success`() async throws {
        let (result, _) = try await deliver(to: .takes { _ in 0x10 })
        #expect(try result.get() == Receipt(settled: 30))
    }

    @Test
    func `A message of several records that is refused is left to the drain's search`() async throws {
        let format = PlainFormat(batchSize: 30)
        let (refused, _) = try await deliver(to: .takes { _ in 0x99 }, format: format)
        #expect(#expect(throws: DeliveryError.self) { try refused.get() }?.recovery == .rejected)
        let (large, _) = try await deliver(to: .takes { _ in 0x95 }, format: format)
        #expect(#expect(throws: DeliveryError.self) { try large.get() }?.recovery == .smaller)
    }

    @Test
    func `A message above the broker's maximum packet size is never sent`() async throws {
        var format = PlainFormat()
        format.oversized = records[3].id
        let maximum: [UInt8] = [0x27, 0, 0, 0x03, 0xE8]  // 1000 bytes
        let (result, broker) = try await deliver(to: .takes(properties: maximum) { _ in 0 }, format: format)
        let receipt = try result.get()
        #expect(receipt.settled == 30)
        #expect(Array(receipt.refused.keys) == [records[3].id])
        #expect(broker.payloads.count == 29)
        #expect(broker.sizes.allSatisfy { $0 < 1000 })
    }

    @Test
    func `No more than the broker's receive maximum is in flight`() async throws {
        let broker = try FakeBroker(.takes(properties: [0x21, 0, 3]) { _ in nil })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let batch = RecordBatch(records: records)
        let delivery = Task { try await sink.deliver(batch) }
        await eventually("three messages") { broker.payloads.count >= 3 && sink.status.inFlight == 3 }
        broker.become(.takes { _ in 0 })  // it goes on silently with those three: nothing follows
        #expect(broker.payloads.count == 3)
        delivery.cancel()
        _ = try? await delivery.value  // cancelled
        await sink.close()
    }

    @Test
    func `A changed access list pauses the sink, and lets it go on once it is changed back`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            options.passwords = ["van-7": "secret", "reader": "other"]
            let open = "user van-7\ntopic write fleet/van-7/#\nuser reader\ntopic read #\n"
            options.access = open
            let broker = try await MosquittoBroker(in: directory, options)
            let subscriber = try await SubscriberProcess(
                of: broker, log: directory + "/log", user: "reader", password: "other")
            let sink = try Samples.sink(port: broker.port) {
                $0.username = "van-7"
                $0.password = .text(Secret("secret"))
            }
            try await sink.deliverAll(Array(records[..<10]))
            try broker.setAccess("user reader\ntopic read #\n")
            await eventually("the access list is in force") {
                do throws(DeliveryError) {
                    _ = try await sink.deliver(RecordBatch(records: [records[0]]))
                    return false
                } catch { return error.recovery == .needsOperator }
            }
            try broker.setAccess(open)
            await eventually("the access list is changed back") {
                do throws(DeliveryError) {
                    _ = try await sink.deliver(RecordBatch(records: [records[10]]))
                    return true
                } catch { return false }
            }
            try await sink.deliverAll(Array(records[11...]))
            await sink.close()
            try await eventually("all records") {
                Set(try subscriber.messages().map(\.payload)) == Set(records.map(\.id.description))
            }
        }
    }
}
