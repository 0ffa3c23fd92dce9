import Foundation
import Logging
import ServiceLifecycle
import TrackEngine
import TrackEngineGPSD
import TrackEngineHTTP
import TrackEngineIntegrations
import TrackEngineMQTT
import TrackEngineSQLite

/// A vehicle's agent: gpsd in, a store on disk, records out over HTTP and MQTT, until it is asked to end.
///
/// The environment says where: `DEVICE`, `GPSD_PORT`, `STATE_DIRECTORY`, `OVERLAND_URL`, `OVERLAND_TOKEN`, `MQTT_HOST`,
/// `MQTT_PORT`.
@main
struct FleetAgent {
    static func main() async {
        LoggingSystem.bootstrap { StreamLogHandler.standardOutput(label: $0) }
        let logger = Logger(label: "fleet-agent")
        do {
            try await run(logger)
        } catch {
            logger.critical("the agent cannot run", metadata: ["error": "\(error)"])
            exit(EXIT_FAILURE)
        }
    }

    private static func run(_ logger: Logger) async throws {
        let environment = ProcessInfo.processInfo.environment
        let device = DeviceID(rawValue: environment["DEVICE"] ?? "van-7")

        var receiver = GPSDSource.Configuration()
        receiver.port = environment["GPSD_PORT"].flatMap { UInt16($0) } ?? 2947
        let gpsd = try GPSDSource(configuration: receiver)

        let store = try await SQLiteFixStore.open(
            configuration: .init(directory: environment["STATE_DIRECTORY"] ?? "fleet-agent-state"), logger: logger)

        var server = OverlandSink.Configuration(
            url: environment["OVERLAND_URL"] ?? "http://localhost:8080/api/input", deviceID: device)
        server.token = environment["OVERLAND_TOKEN"].map { Secret($0) }
        let overland = try OverlandSink(id: "home", configuration: server)

        let host = environment["MQTT_HOST"] ?? "localhost"
        var broker = MQTTSink.Configuration(host: host, deviceID: device)
        broker.port = environment["MQTT_PORT"].flatMap { Int($0) }
        broker.tls = host == "localhost" ? nil : .init()  // in the clear on this machine, over TLS to all others
        let mqtt = try MQTTSink(id: "fleet", configuration: broker)

        var configuration = Tracker.Configuration(device: device, store: store, sources: [gpsd])
        configuration.sinks = [
            SinkBinding(overland, sync: SyncConfiguration(syncThreshold: 10)),  // ten records a request
            SinkBinding(mqtt, sync: SyncConfiguration(syncThreshold: 1)),  // each record at once
        ]
        configuration.retention.maxDaysToPersist = 30
        configuration.logger = logger
        let tracker = try Tracker(configuration: configuration)

        let group = ServiceGroup(
            services: [TrackerService(tracker), StatusLog(tracker: tracker, logger: logger)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await group.run()

        await overland.close()
        await mqtt.close()
        await store.close()
    }
}

/// Logs every five seconds how sources, store and sinks stand.
struct StatusLog: Service {
    let tracker: Tracker
    let logger: Logger

    func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let status = await tracker.status()
            logger.info("status", metadata: ["tracker": "\(status)"])
            // The end of the service ends the wait, which is no error.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(5)) }
        }
    }
}
