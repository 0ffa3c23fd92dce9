import TestSupport
import TrackEngine
import TrackEngineMQTT
import TrackEngineSettings
import TrackEngineTestKit

/// A message of a person to an agent, through the broker of both.
struct BrokerOrder: MessageFormat {
    let topic: String
    let text: String

    func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage] {
        [RecordMessage(MQTTMessage(topic: topic, payload: Array(text.utf8)), recordCount: records.count)]
    }

    func latest(_ record: TrackRecord) -> MQTTMessage? { nil }

    /// Returns when the broker has the message.
    func publish(at broker: MosquittoBroker, user: String? = nil, password: String? = nil) async throws {
        var configuration = MQTTSink.Configuration(
            host: "127.0.0.1", deviceID: DeviceID(rawValue: "person-\(text.prefix(8).filter(\.isLetter))"))
        (configuration.port, configuration.tls) = (broker.port, nil)
        configuration.username = user
        if let password { configuration.password = .text(Secret(password)) }
        let sink = try MQTTSink(configuration: configuration, format: self)
        _ = try await sink.deliver(RecordBatch(records: TrackEngineTestKit.SampleRecords.records(count: 1)))
        await sink.close()
    }
}
