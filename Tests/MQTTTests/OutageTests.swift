import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("Brokers that go away mid-flight", .serialized)
struct OutageTests {
    /// How the broker goes away.
    enum Fault: CaseIterable {
        case stop, kill
    }

    @Test(
        arguments: Fault.allCases)
    func `20 restarts: nothing lost, first arrivals in order, repetitions only within the window`(_ fault: Fault)
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            options.savesAtOnce = true
            let broker = try await MosquittoBroker(in: directory, options)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            let sink = try Samples.sink(port: broker.port)
            let isOver = Mutex(false)
            async let delivered = deliver(to: sink) { isOver.withLock { $0 } }
            for round in 1...20 {
                let before = try subscriber.messages().count
                // The subscriber must be there again, too: what mosquitto acknowledges before it has either saved it or
                // handed it on dies with it, and that is not the sink's loss.
                try await eventually("round \(round)") {
                    try sink.status.connections >= round && subscriber.messages().count > before + 30
                }
                switch fault {
                case .stop: broker.stop()
                case .kill: try await broker.kill()
                }
                try await broker.restart()
            }
            isOver.withLock { $0 = true }
            let expected = try await delivered.map(\.id.description)
            await sink.close()
            try await eventually("all records") {
                Set(try subscriber.messages().map(\.payload)).count == expected.count
            }
            let arrived = try subscriber.messages().map(\.payload)
            var seen: Set<String> = []
            #expect(arrived.filter { seen.insert($0).inserted } == expected)
            // What the sink sent twice; the broker itself repeats to its subscriber what that had not acknowledged.
            #expect(sink.status.sent - expected.count <= 20 * 20)
        }
    }

    /// Delivers batches of 50 until it is over; answers all that was delivered.
    private func deliver(to sink: MQTTSink, until isOver: @Sendable () -> Bool) async throws -> [TrackRecord] {
        var records: [TrackRecord] = []
        while !isOver() {
            let next = SampleRecords.records(from: records.count + 1, count: 50)
            try await sink.deliverAll(next)
            records += next
        }
        return records
    }

    @Test
    func `A connection that is reset is made again, and at most the window is sent twice`() async throws {
        let broker = try FakeBroker(.takes { _ in 0 })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let records = SampleRecords.records(count: 3000)
        async let delivery: Void = sink.deliverAll(records)
        for round in 1...10 {
            await eventually("message \(round * 250)") {
                sink.status.acknowledged >= round * 250
            }
            broker.reset()
        }
        try await delivery
        await sink.close()
        let expected = records.map(\.id.description)
        var seen: Set<String> = []
        let arrived = broker.payloads
        #expect(arrived.filter { seen.insert($0).inserted } == expected)
        #expect(arrived.count - expected.count <= 10 * 20)
    }

    @Test
    func `A broker that stands still is given up when it does not acknowledge in time, and served again`() async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let sink = try Samples.sink(port: broker.port) {
                $0.acknowledgementTimeout = .seconds(1)
                $0.connectTimeout = .seconds(1)
            }
            try await sink.deliverAll(SampleRecords.records(count: 1))
            broker.freeze(true)
            let error = await #expect(throws: DeliveryError.self) {
                try await sink.deliver(RecordBatch(records: SampleRecords.records(from: 2, count: 1)))
            }
            expectMessage(error?.reason)
            broker.freeze(false)
            try await sink.deliverAll(SampleRecords.records(from: 2, count: 1))
            await sink.close()
        }
    }
}
