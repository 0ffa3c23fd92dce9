package import TrackEngine

extension Tracker {
    /// Returns a tracker; a closure changes further settings.
    package static func make(
        device: DeviceID = "van-7", store: any FixStore, sources: [any FixSource], sinks: [SinkBinding] = [],
        _ change: (inout Configuration) throws -> Void = { _ in }
    ) throws -> Tracker {
        var configuration = Configuration(device: device, store: store, sources: sources, sinks: sinks)
        try change(&configuration)
        return try Tracker(configuration: configuration)
    }
}
