/// CalmGeo's table of keys, with its names, units and defaults, for programs that migrate from CalmGeo.
///
/// The table itself has no effect. It provides the configurations that have: ``recording`` for a ``Tracker`` or a
/// ``TrackPipeline``, ``retention`` for the tracker's store, ``sync`` for the ``SinkBinding``, and, in TrackEngineHTTP,
/// `OverlandSink.Configuration(calmGeo:)` for the server at ``url``.
///
/// ```swift
/// var table = CalmGeoConfiguration()
/// table.distanceFilter = 30
/// var configuration = Tracker.Configuration(
///     device: "van-7", store: store, sources: [source], sinks: [SinkBinding(sink, sync: table.sync)])
/// (configuration.recording, configuration.retention) = (table.recording, table.retention)
/// let tracker = try Tracker(configuration: configuration)
/// ```
public struct CalmGeoConfiguration: Sendable, Hashable {
    // MARK: Recording

    /// The required accuracy of positions. Default ``DesiredAccuracy/best``.
    public var desiredAccuracy: DesiredAccuracy = .best
    /// The base distance between records, in metres, 0 to 100 000. Default 16.
    public var distanceFilter: Int = 16
    /// Turns the scaling by speed off. Default false.
    public var disableSpeedMultiplier: Bool = false
    /// The factor by which each 5 m/s of speed stretches the distance, 0 to 1000. Default 3.1.
    public var speedMultiplier: Double = 3.1
    /// The radius around the position of rest that a fix must leave to end standby, in metres, above 0 to 100 000.
    /// Default 25.
    public var stationaryRadius: Double = 25
    /// Adds the activity to each record. Default false.
    public var fetchActivity: Bool = false

    // MARK: Delivery

    /// The destination of records; absent (the default) means none.
    public var url: String?
    /// The bearer token for ``url``. Default none.
    public var token: Secret?
    /// The time limit of one exchange with the server, in milliseconds, 100 to 600 000. Default 10 000.
    public var httpTimeout: Int = 10_000
    /// The request's method. Default POST.
    public var method: HTTPMethod = .post
    /// Sends automatically. Default false; ``Tracker/sync(_:)`` always sends.
    public var autoSync: Bool = false
    /// The number of records that triggers a sync, 1 to 1 000 000. Default 12.
    public var syncThreshold: Int = 12
    /// The maximum number of records in one request, 1 to 10 000. Default 250.
    public var maxBatchSize: Int = 250
    /// Days after which a record is dropped, delivered or not, 0 (for ever) to 36 500. Default 7.
    public var maxDaysToPersist: UInt32 = 7

    /// Creates a table with CalmGeo's defaults.
    public init() {}

    /// The recording configuration. Keys that CalmGeo does not have keep their defaults.
    public var recording: RecordingConfiguration {
        var recording = RecordingConfiguration()
        recording.desiredAccuracy = desiredAccuracy
        recording.distanceFilter = distanceFilter
        recording.disableSpeedMultiplier = disableSpeedMultiplier
        recording.speedMultiplier = speedMultiplier
        recording.stationaryRadius = stationaryRadius
        recording.fetchActivity = fetchActivity
        return recording
    }

    /// The retention of records.
    public var retention: RetentionConfiguration {
        RetentionConfiguration(maxDaysToPersist: Int(maxDaysToPersist))
    }

    /// The times and the batch size of deliveries.
    public var sync: SyncConfiguration {
        SyncConfiguration(autoSync: autoSync, syncThreshold: syncThreshold, maxBatchSize: maxBatchSize)
    }

    /// The bounds for the time limit of an exchange with a server, in milliseconds.
    package static let httpTimeouts = 100...600_000

    /// Returns the table itself, if every value is valid. ``url`` and ``token`` are checked by the sink created from
    /// them.
    ///
    /// - Throws: ``ConfigurationError`` with every problem of all parts at once.
    public func validated() throws(ConfigurationError) -> CalmGeoConfiguration {
        var check = ConfigurationCheck()
        check.problems += recording.problems
        check.range("httpTimeout", httpTimeout, Self.httpTimeouts, "milliseconds")
        check.problems += retention.problems
        check.problems += sync.problems
        try check.finish()
        return self
    }
}

/// The methods that CalmGeo's sync supports.
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
    /// POST.
    case post = "POST"
    /// PUT.
    case put = "PUT"
}
