import CYardsticks
import Foundation
import Logging
import Measure
import TrackEngine
import TrackEngineHTTP
import TrackEngineMQTT
import TrackEngineSQLite

/// From a full store to the last settle, through the tracker, to receivers on the same machine.
enum DrainSuite {
    private static let count = 200_000

    static func rows() async throws -> [Row] {
        try await withTemporaryFolder { folder in
            var rows: [Row] = []
            var http = OverlandSink.Configuration(
                id: "http", url: "http://127.0.0.1:\(cyardsticks_receiver_start())/", deviceID: "van-7")
            http.httpTimeout = .seconds(60)
            let sink = try OverlandSink(http)
            let overland = try await drain(to: sink, batches: 1000, in: folder + "/http")
            await sink.close()
            rows.append(Row("Drain", "Overland over HTTP, a record", overland))
            guard let broker = try await Broker(in: folder) else { return rows }
            defer { broker.stop() }
            let yardstick = try broker.publishing(count).map { (name: "mosquitto_pub -V 5 -l -q 1", nanoseconds: $0) }
            let each = try await publish(.trackengine, batches: 1000, to: broker, in: folder + "/each")
            let batch = try await publish(.batch, batches: 1000, to: broker, in: folder + "/batch")
            rows.append(
                Row("Drain", "MQTT, a record a message", each, beside: yardstick, target: .timesYardstick(2)))
            rows.append(Row("Drain", "MQTT, batches, a record", batch, beside: yardstick, target: .faster(2)))
            return rows
        }
    }

    private static func publish(
        _ format: RecordFormat, batches: Int, to broker: Broker, in folder: String
    ) async throws -> Double {
        var configuration = MQTTSink.Configuration(id: "mqtt", host: "127.0.0.1", clientID: "bench-\(format)")
        configuration.port = broker.port
        configuration.tls = nil
        let options = MessageOptions(format: format, deviceID: "van-7")
        let sink = try MQTTSink(configuration, messages: options, logger: quiet)
        let time = try await drain(to: sink, batches: batches, in: folder)
        await sink.close()
        return time
    }

    /// Nanoseconds a record.
    private static func drain(to sink: any FixSink, batches: Int, in folder: String) async throws -> Double {
        let store = try await SQLiteFixStore.open(directory: folder, logger: quiet)
        try await store.configure(RetentionConfiguration(), sinks: [sink.id])
        let drafts = SampleRecords.drafts(count)
        for start in stride(from: 0, to: count, by: 1000) {
            _ = try await store.append(Array(drafts[start..<start + 1000]), checkpoint: nil)
        }
        var sync = SyncConfiguration()
        sync.maxBatchSize = batches
        let tracker = try Tracker(
            retention: RetentionConfiguration(), device: "van-7", store: store, sources: [SilentSource()],
            sinks: [SinkBinding(sink, sync: sync)], logger: quiet)
        let start = nanoseconds()
        let run = Task { try await tracker.run() }  // ended below; a task group would only nest it deeper
        while try await store.backlog(of: sink.id).count > 0 { try await Task.sleep(for: .milliseconds(20)) }
        let time = Double(nanoseconds() - start) / Double(count)
        run.cancel()
        _ = await run.result
        await store.close()
        return time
    }

    private static var quiet: Logger {
        var logger = Logger(label: "bench")
        logger.logLevel = .error
        return logger
    }
}

/// Has nothing to say.
private struct SilentSource: FixSource {
    var id: SourceID { "silent" }
    func run(_ output: FixOutput) async throws { try await Task.sleep(for: .seconds(3600)) }
}
