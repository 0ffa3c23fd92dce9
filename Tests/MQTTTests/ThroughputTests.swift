import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("How fast messages go out", .enabled(if: ProcessInfo.processInfo.environment["TRACK_ENGINE_MEASURE"] != nil))
struct ThroughputTests {
    @Test("Messages a second through a window of twenty, printed and not judged", arguments: [100, 1000, 10_000])
    func rate(_ size: Int) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let sink = try MQTTSink(Samples.configuration(port: broker.port), format: ReadyFormat())
            _ = try await sink.deliver(RecordBatch(records: SampleRecords.records(count: 1)))
            let batch = RecordBatch(records: SampleRecords.records(count: size))
            let count = 200_000
            let start = ContinuousClock.now
            for _ in 0..<(count / size) { _ = try await sink.deliver(batch) }
            let time = start.duration(to: .now).inSeconds
            print("batches of \(size): \(Int(Double(count) / time)) messages a second")
            await sink.close()
        }
    }
}

/// The same 255 bytes for every record, so that only the way out is measured.
private struct ReadyFormat: MessageFormat {
    let announcements: [MQTTMessage] = []
    let birthTopic: String? = nil
    private let message = RecordMessage(
        MQTTMessage(topic: "fleet/van-7/record", payload: [UInt8](repeating: 120, count: 255)))

    func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage] {
        records.map { _ in message }
    }

    func latest(_ record: TrackRecord) -> MQTTMessage? { nil }
    func health(_ health: SinkHealth) -> MQTTMessage? { nil }
}
