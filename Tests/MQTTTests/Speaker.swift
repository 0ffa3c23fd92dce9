import Synchronization
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// Another client of the broker, that publishes what a test wants.
struct Speaker {
    fileprivate let sink: MQTTSink
    private let format: SpeakerFormat

    fileprivate init(port: Int) throws {
        format = SpeakerFormat()
        sink = try MQTTSink(
            id: "fleet", configuration: Samples.configuration(port: port) { $0.clientID = "speaker" }, format: format)
    }

    /// Publishes a message and waits until the broker has it.
    func say(_ message: MQTTMessage) async throws {
        format.next.withLock { $0 = message }
        _ = try await sink.deliver(RecordBatch(records: SampleRecords.records(count: 1)))
    }

    func close() async { await sink.close() }
}

extension Samples {
    /// Another client of the broker.
    static func speaker(port: Int) throws -> Speaker { try Speaker(port: port) }
}

/// Says the next message, whatever the record.
private final class SpeakerFormat: MessageFormat {
    let next = Mutex(MQTTMessage(topic: "", payload: []))
    let announcements: [MQTTMessage] = []
    let birthTopic: String? = nil

    func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage] {
        [RecordMessage(next.withLock { $0 }, recordCount: records.count)]
    }

    func latest(_ record: TrackRecord) -> MQTTMessage? { nil }
    func health(_ health: SinkHealth) -> MQTTMessage? { nil }
}
