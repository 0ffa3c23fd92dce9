import CTrackEngine
import Logging
import TrackEngine

/// The checked settings of a tracker.
struct TrackerSettings: Sendable {
    static let logger = Logger(label: "track-engine") { _ in SwiftLogNoOpLogHandler() }

    let device: DeviceID
    let source: SourceID
    let timeBase: TimeBase
    /// The directory of the store; `nil` for a store in memory.
    let directory: String?
    let recording: RecordingConfiguration
    let retention: RetentionConfiguration
    let sinks: [Sink]
    /// The sinks with which the library itself sends.
    let senders: [SinkBinding]
    /// Detects events; `nil` for none.
    let detector: (any EventDetector)?

    struct Sink: Sendable {
        let id: SinkID
        let sync: SyncConfiguration
        let callback: CallbackSink.Callback
    }

    init(_ config: UnsafePointer<te_tracker_config>?) throws(CallError) {
        guard let config = config?.pointee else { throw .argument("config = NULL: expected the settings of a tracker") }
        try check(config.size, MemoryLayout<te_tracker_config>.size, "config")
        guard let device = text(config.device), !device.isEmpty else {
            throw .argument("config.device: expected a name that is not empty")
        }
        guard config.time_base <= TE_TIME_FIX else {
            throw .argument("config.time_base = \(config.time_base): expected TE_TIME_ARRIVAL or TE_TIME_FIX")
        }
        let source = text(config.source) ?? "fixes"
        guard !source.isEmpty else { throw .argument("config.source: expected NULL or a name that is not empty") }
        self.device = DeviceID(rawValue: device)
        self.source = SourceID(rawValue: source)
        timeBase = config.time_base == TE_TIME_FIX ? .fixTime : .arrival
        directory = text(config.directory)
        recording = try recordingSettings(config.tracking)
        retention = try retentionSettings(config.retention)
        sinks = try Self.sinks(config)
        senders = try TrackEngineC.senders(config.senders, of: self.device, Self.logger)
        detector = try eventDetector(config.events, config.places, of: self.device)
    }

    private static func sinks(_ config: te_tracker_config) throws(CallError) -> [Sink] {
        guard config.sink_count > 0 else { return [] }
        guard let first = config.sinks else { throw .argument("config.sinks = NULL: expected sink_count sinks") }
        let stride = try checkedSize(first.pointee.size, MemoryLayout<te_sink>.size, "config.sinks[0].size")
        var sinks: [Sink] = []
        for index in 0..<config.sink_count {
            let place = UnsafeRawPointer(first).advanced(by: index * stride)
            sinks.append(try sink(place.assumingMemoryBound(to: te_sink.self).pointee, index))
        }
        return sinks
    }

    private static func sink(_ sink: te_sink, _ index: Int) throws(CallError) -> Sink {
        guard let name = text(sink.name), !name.isEmpty else {
            throw .argument("config.sinks[\(index)].name: expected a name that is not empty")
        }
        guard let deliver = sink.deliver else {
            throw .argument("config.sinks[\(index)].deliver = NULL: expected a function")
        }
        return Sink(
            id: SinkID(rawValue: name), sync: try syncSettings(sink.sync, of: name),
            callback: CallbackSink.Callback(function: deliver, context: sink.context))
    }
}
