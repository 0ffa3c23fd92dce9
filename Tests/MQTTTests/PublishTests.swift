import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("Publishing to a real broker")
struct PublishTests {
    @Test(
        .timeLimit(.minutes(30)),
        arguments: [MQTTSink.Configuration.ProtocolVersion.v5, .v311],
        [MQTTSink.Configuration.QualityOfService.atLeastOnce, .atMostOnce])
    func `What is settled is at the broker's subscribers, in order, complete and without waiting`(
        _ version: MQTTSink.Configuration.ProtocolVersion, _ quality: MQTTSink.Configuration.QualityOfService
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            let sink = try Samples.sink(port: broker.port) {
                $0.protocolVersion = version
                $0.qualityOfService = quality
            }
            let records = SampleRecords.records(count: 2000)
            let receipt = try await sink.deliver(RecordBatch(records: records))
            #expect(receipt == Receipt(settled: 2000), "\(sink.status), \(broker.text)")
            await sink.close()
            try await eventually("2000 messages") { try subscriber.messages().count >= 2000 }
            #expect(try subscriber.messages().map(\.payload) == records.map(\.id.description))
            #expect(sink.status.acknowledged == 2000)
            #expect(sink.status.connection == .closed)
        }
    }
}
