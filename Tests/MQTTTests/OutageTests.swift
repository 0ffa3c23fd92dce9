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
        "20 restarts: nothing lost, first arrivals in order, repetitions only within the window",
        arguments: Fault.allCases)
    func restarts(_ fault: Fault) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            options.savesAtOnce = true
            let broker = try await MosquittoBroker(in: directory, options)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            let sink = try Samples.sink(port: broker.port)
            let records = SampleRecords.records(count: 2000)
            // What arrives drives the faults, so that each strikes while messages are under way.
            async let delivery: Void = sink.deliverAll(records)
            for round in 1...20 {
                await eventually("message \(round * 90)", within: .seconds(60)) {
                    sink.status.acknowledged >= round * 90
                }
                switch fault {
                case .stop: broker.stop()
                case .kill: broker.kill()
                }
                try await broker.restart()
            }
            try await delivery
            await sink.close()
            let expected = records.map(\.id.description)
            try await eventually("all records", within: .seconds(30)) {
                Set(try subscriber.messages().map(\.payload)).count == expected.count
            }
            let arrived = try subscriber.messages().map(\.payload)
            var seen: Set<String> = []
            #expect(arrived.filter { seen.insert($0).inserted } == expected)
            // The subscriber's own session repeats what it had not acknowledged when the broker went away, too.
            #expect(arrived.count - expected.count <= 20 * 20 * 2)
            #expect(sink.status.connections >= 21)
        }
    }

    @Test("A connection that is reset is made again, and at most the window is sent twice")
    func resets() async throws {
        let broker = try FakeBroker(.takes { _ in 0 })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let records = SampleRecords.records(count: 3000)
        async let delivery: Void = sink.deliverAll(records)
        for round in 1...10 {
            await eventually("message \(round * 250)", within: .seconds(60)) {
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

    @Test("A broker that stands still is given up when it does not acknowledge in time, and served again")
    func halfOpen() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let sink = try Samples.sink(port: broker.port) {
                $0.acknowledgementTimeout = .seconds(1)
                $0.connectTimeout = .seconds(1)
            }
            _ = try await sink.deliver(RecordBatch(records: SampleRecords.records(count: 1)))
            broker.freeze(true)
            let error = await #expect(throws: DeliveryError.self) {
                try await sink.deliver(RecordBatch(records: SampleRecords.records(from: 2, count: 1)))
            }
            #expect(error?.reason == "the broker does not acknowledge what it gets")
            broker.freeze(false)
            try await sink.deliverAll(SampleRecords.records(from: 2, count: 1))
            await sink.close()
        }
    }
}
