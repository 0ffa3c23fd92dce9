import TrackEngine
import TrackEngineHTTP

func tracker(
    of table: CalmGeoConfiguration, device: DeviceID, source: any FixSource, store: any FixStore
) throws -> Tracker {
    var configuration = Tracker.Configuration(device: device, store: store, sources: [source])
    (configuration.recording, configuration.retention) = (table.recording, table.retention)
    if let server = OverlandSink.Configuration(calmGeo: table, deviceID: device) {
        let sink = try OverlandSink(id: "calmgeo", configuration: server)
        configuration.sinks = [SinkBinding(sink, sync: table.sync)]
    }
    return try Tracker(configuration: configuration)
}
