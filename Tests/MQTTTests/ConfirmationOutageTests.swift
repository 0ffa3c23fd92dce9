import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("A broker that loses what it has acknowledged", .serialized)
struct ConfirmationOutageTests {
    private static let topic = "fleet/van-7/confirmed"

    /// A broker that saves nothing until it is stopped has acknowledged records for a reader that is away, and is killed.
    @Test
    func `Killed between acknowledgement and confirmation, it loses them; with confirmations they come again`()
        async throws
    {
        for confirms in [false, true] {
            try await TestEnvironment.withTemporaryDirectory { directory in
                let broker = try await MosquittoBroker(in: directory)
                let reader = try await reader(of: broker, directory, confirms: confirms)
                reader.stop()
                let sink = try Samples.sink(port: broker.port) {
                    $0.confirm = confirms ? .init(topic: Self.topic) : nil
                }
                let records = SampleRecords.records(count: 40)
                async let delivered: Void = sink.deliverAll(records)
                await eventually("acknowledged") { sink.status.acknowledged == records.count }
                try await broker.restart()  // which kills it
                let next = try await self.reader(of: broker, directory, confirms: confirms)
                if confirms {
                    try await delivered
                    #expect(sink.status.confirmed == records.count)
                    let arrived = try next.messages().map(\.payload)
                    #expect(Set(arrived) == Set(records.map(\.id.description)))
                } else {
                    try await delivered  // by the broker's word alone, long before the kill
                    try await sink.deliverAll(SampleRecords.records(from: 41, count: 1))
                    let last = SampleRecords.record(41).id.description
                    try await eventually("what came after") {
                        try next.messages().contains { $0.payload == last }
                    }
                    #expect(try next.messages().count == 1, "the broker has lost the others")
                }
                await sink.close()
                next.stop()
                broker.stop()
            }
        }
    }

    @Test(
        arguments: [MQTTSink.Configuration.ProtocolVersion.v5, .v311])
    func `Ten kills under load: every settled record is with the consumer`(
        _ version: MQTTSink.Configuration.ProtocolVersion
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let reader = try await reader(of: broker, directory, confirms: true)
            let sink = try Samples.sink(port: broker.port) {
                $0.protocolVersion = version
                $0.confirm = .init(topic: Self.topic, timeout: .seconds(5))
            }
            let isOver = Mutex(false)
            async let delivered = deliver(to: sink) { isOver.withLock { $0 } }
            for round in 1...10 {
                let before = sink.status.confirmed ?? 0
                await eventually("round \(round)") {
                    sink.status.connections >= round && (sink.status.confirmed ?? 0) > before + 30
                }
                try await broker.restart()
            }
            isOver.withLock { $0 = true }
            let settled = Set(try await delivered.map(\.id.description))
            await sink.close()
            let arrived = Set(try reader.messages().map(\.payload))
            #expect(settled.subtracting(arrived) == [])
            reader.stop()
            broker.stop()
        }
    }

    /// Delivers batches of 50 until it is over; returns all that were settled.
    private func deliver(to sink: MQTTSink, until isOver: @Sendable () -> Bool) async throws -> [TrackRecord] {
        var records: [TrackRecord] = []
        while !isOver() {
            let next = SampleRecords.records(from: records.count + 1, count: 50)
            try await sink.deliverAll(next)
            records += next
        }
        return records
    }

    private func reader(
        of broker: MosquittoBroker, _ directory: String, confirms: Bool
    ) async throws -> SubscriberProcess {
        try await SubscriberProcess(
            of: broker, log: directory + "/log", filter: "fleet/van-7/record",
            confirmingOn: confirms ? Self.topic : nil)
    }
}
