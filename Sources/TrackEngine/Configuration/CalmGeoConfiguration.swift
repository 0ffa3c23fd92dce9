/// CalmGeo's table of keys, with its names, units and defaults, for programs that come from there.
///
/// Nothing acts on the table itself. It makes the parts that are acted on: ``recording`` for a ``Tracker`` or a
/// ``TrackPipeline``, ``retention`` for the tracker's store, ``sync`` for the ``SinkBinding``, and, in TrackEngineHTTP,
/// `OverlandSink.Configuration(calmGeo:)` for the receiver that ``url`` names.
///
/// ```swift
/// var table = CalmGeoConfiguration()
/// table.distanceFilter = 30
/// let tracker = try Tracker(
///     configuration: table.recording, retention: table.retention, device: "van-7", store: store, sources: [source],
///     sinks: [SinkBinding(sink, sync: table.sync)])
/// ```
public struct CalmGeoConfiguration: Sendable, Hashable {
    // MARK: Recording

    /// How exact positions need to be. Default ``DesiredAccuracy/best``.
    public var desiredAccuracy: DesiredAccuracy = .best
    /// The base distance between records, in metres, 0 to 100 000. Default 16.
    public var distanceFilter: Int = 16
    /// Turns the scaling by speed off. Default false.
    public var disableSpeedMultiplier: Bool = false
    /// How much each 5 m/s of speed stretches the distance, 0 to 1000. Default 3.1.
    public var speedMultiplier: Double = 3.1
    /// The radius around the place of rest that a fix must leave to end standby, in metres, above 0 to 100 000. Default
    /// 25.
    public var stationaryRadius: Double = 25
    /// Adds the activity to each record. Default false.
    public var fetchActivity: Bool = false

    // MARK: Delivery

    /// Where records are sent; absent (the default) means nowhere.
    public var url: String?
    /// The bearer token for ``url``. Default none.
    public var token: Secret?
    /// How long one exchange with the server may take, in milliseconds, 100 to 600 000. Default 10 000.
    public var httpTimeout: Int = 10_000
    /// The request's method. Default POST.
    public var method: HTTPMethod = .post
    /// Sends by itself. Default false; ``Tracker/sync(_:)`` always sends.
    public var autoSync: Bool = false
    /// How many records trigger a sync by themselves, 1 to 1 000 000. Default 12.
    public var syncThreshold: Int = 12
    /// The most records in one request, 1 to 10 000. Default 250.
    public var maxBatchSize: Int = 250
    /// Days after which a record is dropped, delivered or not, 0 (for ever) to 36 500. Default 7.
    public var maxDaysToPersist: UInt32 = 7

    /// CalmGeo's defaults.
    public init() {}
}

extension CalmGeoConfiguration {
    /// What is recorded. Keys that CalmGeo does not have keep their defaults.
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

    /// How long records are kept.
    public var retention: RetentionConfiguration {
        RetentionConfiguration(maxDaysToPersist: Int(maxDaysToPersist))
    }

    /// When records are sent, and how many at once.
    public var sync: SyncConfiguration {
        SyncConfiguration(autoSync: autoSync, syncThreshold: syncThreshold, maxBatchSize: maxBatchSize)
    }

    /// How long an exchange with a server may take, in milliseconds.
    package static let httpTimeouts = 100...600_000

    /// The table itself, if every value is possible. ``url`` and ``token`` are examined by the sink that is made of them.
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

/// The methods that CalmGeo's sync knows.
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
    /// POST.
    case post = "POST"
    /// PUT.
    case put = "PUT"
}
