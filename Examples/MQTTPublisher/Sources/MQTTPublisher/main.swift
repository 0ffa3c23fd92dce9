import TrackEngine
import TrackEngineMQTT
import TrackEngineSimulated

// MQTTPublisher [HOST [DEVICE]]: a simulated vehicle at a broker, for OwnTracks' apps and all that read like them.
let arguments = CommandLine.arguments.dropFirst()
let host = arguments.first ?? "localhost"
let device = DeviceID(rawValue: arguments.dropFirst().first ?? "van-7")

var configuration = MQTTSink.Configuration(host: host, deviceID: device)
configuration.tls = host == "localhost" ? nil : .init()  // in the clear on this machine, over TLS to all others
configuration.keepsLast = true
configuration.messages.format = .owntracks
configuration.messages.user = "jane"
let sink = try MQTTSink(id: "fleet", configuration: configuration)

let binding = SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 1))
let tracking = try Tracker.Configuration(
    device: device, store: InMemoryFixStore(), sources: [SimulatedSource()], sinks: [binding])
let tracker = try Tracker(configuration: tracking)
try await withThrowingTaskGroup { group in
    group.addTask { try await tracker.run() }
    group.addTask {
        for await record in tracker.records() {
            let state = await tracker.syncState(of: "fleet")
            print(record.fix.time, record.fix.coordinate, "\(state?.queued ?? 0) wait,", sink.status.connection)
        }
    }
    try await group.next()
}
