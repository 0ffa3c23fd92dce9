/// When a sink's records are sent.
public struct SyncConfiguration: Sendable, Hashable {
    /// Sends by itself. Without it only ``Tracker/sync(_:)`` sends. Default true
    /// (``CalmGeoConfiguration/autoSync`` is off).
    public var autoSync: Bool
    /// How many records trigger a sync by themselves, 1 to 1 000 000. Default 12. A motion change does not wait for it.
    public var syncThreshold: Int
    /// The longest that a record waits for the threshold, 1 s to 7 days. Default `nil`: for ever, until the threshold is reached or
    /// something hurries it. It is time that passes while the tracker runs.
    public var interval: Duration?
    /// The most records in one delivery, 1 to 10 000. Default 250.
    public var maxBatchSize: Int
    /// How long to wait after failures.
    public var backoff: Backoff

    /// The defaults.
    public init(
        autoSync: Bool = true, syncThreshold: Int = 12, interval: Duration? = nil, maxBatchSize: Int = 250,
        backoff: Backoff = Backoff()
    ) {
        self.autoSync = autoSync
        self.syncThreshold = syncThreshold
        self.interval = interval
        self.maxBatchSize = maxBatchSize
        self.backoff = backoff
    }
}

extension SyncConfiguration {
    /// The configuration itself, if every value is possible.
    ///
    /// - Throws: ``ConfigurationError`` with every problem at once.
    public func validated() throws(ConfigurationError) -> SyncConfiguration {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return self
    }

    /// What the values may be, for whoever reads them from elsewhere.
    package enum Bounds {
        package static let syncThreshold = 1...1_000_000
        package static let maxBatchSize = 1...10_000
        package static let interval = 1...604_800.0
    }

    var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        check.range("syncThreshold", syncThreshold, Bounds.syncThreshold, "records")
        check.range("maxBatchSize", maxBatchSize, Bounds.maxBatchSize, "records")
        check.seconds("interval", interval, 1...604_800)
        check.seconds("backoff.maximum", backoff.maximum, 1...86_400)
        return check.problems
    }
}

/// A sink and when it gets its records.
public struct SinkBinding: Sendable {
    /// The sink.
    public let sink: any FixSink
    /// When its records are sent.
    public let sync: SyncConfiguration

    /// Binds a sink; without settings, records are sent by themselves with the defaults.
    public init(_ sink: any FixSink, sync: SyncConfiguration = SyncConfiguration()) {
        self.sink = sink
        self.sync = sync
    }
}
