import CYardsticks
import Foundation
import Logging
import Measure
import TrackEngine
import TrackEngineHTTP
import TrackEngineMQTT
import TrackEngineSQLite
import WireSuites

/// From a full store to the last settle, through the tracker, to receivers on the same machine.
enum DrainSuite {
    private static let count = 200_000

    static func rows() async throws -> [Row] {
        try await withTemporaryFolder { folder in
            var rows: [Row] = []
            var http = OverlandSink.Configuration(
                url: "http://127.0.0.1:\(cyardsticks_receiver_start())/", deviceID: "van-7")
            http.httpTimeout = .seconds(60)
            let sink = try OverlandSink(id: "http", configuration: http)
            let overland = try await drain(to: sink, batches: 1000, in: folder + "/http")
            await sink.close()
            rows.append(Row("Drain", "Overland over HTTP, a record", overland))
            guard let broker = try await Broker(in: folder) else { return rows }
            defer { broker.stop() }
            let yardstick = try broker.publishing(count).map { (name: "mosquitto_pub -V 5 -l -q 1", nanoseconds: $0) }
            let each = try await publish(.trackengine, to: broker.port, in: folder + "/each")
            let batch = try await publish(.batch, to: broker.port, in: folder + "/batch")
            rows.append(
                Row("Drain", "MQTT, a record a message", each, beside: yardstick, target: .timesYardstick(2)))
            rows.append(Row("Drain", "MQTT, batches, a record", batch, beside: yardstick, target: .faster(2)))
            for format in [RecordFormat.trackengine, .batch] {
                let million = try DrainProcess.measure(
                    format, port: broker.port, in: folder + "/\(format)", count: 1_000_000)
                guard let million else { continue }
                rows.append(
                    Row(
                        "Drain",
                        "MQTT \(format), a backlog of 1 M: memory grows by \((million.kilobytes / 1024).short) MiB "
                            + "(to reach: < 16); a record", million.nanoseconds))
            }
            return rows
        }
    }

    /// Nanoseconds a record, in batches of 1000.
    static func publish(
        _ format: RecordFormat, to port: Int, in folder: String, count: Int = Self.count
    ) async throws -> Double {
        var configuration = MQTTSink.Configuration(host: "127.0.0.1", deviceID: "van-7")
        configuration.clientID = "bench-\(format)"
        configuration.messages.format = format
        configuration.port = port
        configuration.tls = nil
        let sink = try MQTTSink(configuration: configuration)
        let time = try await drain(to: sink, batches: 1000, in: folder, count: count)
        let messages = format == .batch ? count / 1000 : count
        precondition(sink.status.acknowledged == messages, "\(sink.status.acknowledged) of \(messages) PUBACKs")
        await sink.close()
        return time
    }

    /// Nanoseconds a record.
    private static func drain(
        to sink: any FixSink, batches: Int, in folder: String, count: Int = Self.count
    ) async throws -> Double {
        let store = try await SQLiteFixStore.open(
            configuration: .init(directory: folder), logger: Logger(label: "bench"))
        try await store.configure(Self.forever, sinks: [sink.id])
        for round in 0..<count / 1000 {
            _ = try await store.append(SampleRecords.drafts(1000, round: round), checkpoint: nil)
        }
        var sync = SyncConfiguration()
        sync.maxBatchSize = batches
        var configuration = Tracker.Configuration(device: "van-7", store: store, sources: [SilentSource()])
        configuration.sinks = [SinkBinding(sink, sync: sync)]
        configuration.retention = Self.forever
        let tracker = try Tracker(configuration: configuration)
        let start = nanoseconds()
        let run = Task { try await tracker.run() }  // ended below; a task group would only nest it deeper
        while try await store.backlog(of: sink.id).count > 0 { try await Task.sleep(for: .milliseconds(20)) }
        let time = Double(nanoseconds() - start) / Double(count)
        run.cancel()
        _ = await run.result
        await store.close()
        return time
    }

    /// The sample drive is older than a record usually becomes.
    private static let forever = RetentionConfiguration(maxDaysToPersist: 0)
}

/// Has nothing to say.
private struct SilentSource: FixSource {
    var id: SourceID { "silent" }
    func run(_ output: FixOutput) async throws { try await Task.sleep(for: .seconds(3600)) }
}
