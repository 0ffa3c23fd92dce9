import TrackEngine
import TrackEngineHTTP

func tracker(
    of table: CalmGeoConfiguration, device: DeviceID, source: any FixSource, store: any FixStore
) throws -> Tracker {
    var sinks: [SinkBinding] = []
    if let server = OverlandSink.Configuration(calmGeo: table, deviceID: device) {
        sinks = [SinkBinding(try OverlandSink(id: "calmgeo", configuration: server), sync: table.sync)]
    }
    return try Tracker(
        configuration: table.recording, retention: table.retention, device: device, store: store,
        sources: [source], sinks: sinks)
}
