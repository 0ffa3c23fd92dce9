import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// A format for tests: the record's id is the payload, so that what arrives can be told at a glance.
struct PlainFormat: MessageFormat {
    var topic = "fleet/van-7/record"
    /// How many records share a message.
    var batchSize = 1
    /// A record whose message is larger than the test's broker takes.
    var oversized: RecordID?
    var announcements: [MQTTMessage] = []
    var birthTopic: String?
    var reportsHealth = false

    func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage] {
        stride(from: 0, to: records.count, by: batchSize).map { start in
            let group = records[start..<min(start + batchSize, records.count)]
            var payload = group.map(\.id.description).joined(separator: " ")
            if group.contains(where: { $0.id == oversized }) { payload += String(repeating: "x", count: 5000) }
            let message = MQTTMessage(
                topic: topic, payload: Array(payload.utf8), contentType: "text/plain",
                userProperties: [.init("first", "\(group[start].id)")] + (isBacklog ? [.init("backlog", "1")] : []))
            return RecordMessage(message, recordCount: group.count)
        }
    }

    func latest(_ record: TrackRecord) -> MQTTMessage? {
        MQTTMessage(topic: "fleet/van-7/last", payload: Array("\(record.id)".utf8), isRetained: true)
    }

    func health(_ health: SinkHealth) -> MQTTMessage? {
        guard reportsHealth else { return nil }
        return MQTTMessage(topic: "fleet/van-7/health", payload: Array("queued \(health.queued ?? -1)".utf8))
    }
}

enum Samples {
    /// A sink for a broker on a loopback port, quick to try again.
    static func sink(
        port: Int, format: PlainFormat = PlainFormat(), clock: any Clock<Duration> = ContinuousClock(),
        _ change: (inout MQTTSink.Configuration) -> Void = { _ in }
    ) throws -> MQTTSink {
        try MQTTSink(id: "fleet", configuration: configuration(port: port, change), format: format, clock: clock)
    }

    static func configuration(
        port: Int = 1883, _ change: (inout MQTTSink.Configuration) -> Void = { _ in }
    ) -> MQTTSink.Configuration {
        var configuration = MQTTSink.Configuration(host: "127.0.0.1", deviceID: "van-7")
        configuration.port = port
        configuration.tls = nil
        configuration.backoff = Backoff(maximum: .seconds(1), jitter: true)
        change(&configuration)
        return configuration
    }
}

extension MQTTSink {
    /// Why there is no connection, while it waits for the next attempt.
    var failure: MQTTFailure? {
        switch status.connection {
        case .waiting(let failure, _): failure
        case .idle, .connecting, .connected, .closed: nil
        }
    }

    /// Waits until there is no connection; answers why. On a machine that is busy that may be a later attempt's failure.
    func nextFailure() async -> MQTTFailure? {
        var found: MQTTFailure?
        await eventually("a failure") {
            found = failure
            return found != nil
        }
        return found
    }

    /// Closes it; its thread must have ended before the network's own time-outs, 120 s where these tests set them.
    ///
    /// The thread's own stamp tells, because the test's task may have been kept waiting for longer.
    func expectToClose(sourceLocation: SourceLocation = #_sourceLocation) async {
        let start = Timestamp.now()
        await close()
        await eventually("closed", sourceLocation: sourceLocation) { status.connection == .closed }
        let duration = status.since?.duration(since: start) ?? .seconds(3600)
        #expect(duration < .seconds(100), sourceLocation: sourceLocation)
    }

    /// Delivers records as the drain does: the rest again after a part, everything again after a retry.
    func deliverAll(_ records: [TrackRecord], size: Int = 50, pause: Duration = .milliseconds(20)) async throws {
        var rest = records[...]
        while !rest.isEmpty {
            do throws(DeliveryError) {
                let receipt = try await deliver(RecordBatch(records: Array(rest.prefix(size))))
                rest = rest.dropFirst(receipt.settled)
            } catch {
                switch error.recovery {
                case .retry(_, evidence: nil), .retry(_, evidence: .silence):
                    try await Task.sleep(for: pause)  // a short form of the back-off
                case .retry, .smaller, .rejected, .needsOperator: throw error
                }
            }
        }
    }
}
