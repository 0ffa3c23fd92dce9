/// The times and sizes of a sink's deliveries.
public struct SyncConfiguration: Sendable, Hashable {
    /// Sends automatically. Without it only ``Tracker/sync(_:)`` sends. Default true (``CalmGeoConfiguration/autoSync``
    /// is off).
    public var autoSync: Bool
    /// The number of records that triggers a sync, 1 to 1 000 000. Default 12. A motion change does not wait for it.
    public var syncThreshold: Int
    /// The longest time that a record waits for the threshold, 1 s to 7 days. Default `nil`: until the threshold is
    /// reached or an urgent record or a request comes. Only time while the tracker runs counts.
    public var interval: Duration?
    /// The maximum number of records in one delivery, 1 to 10 000. Default 250.
    public var maxBatchSize: Int
    /// The wait after failures.
    public var backoff: Backoff

    /// Creates a configuration; the defaults are those of the properties.
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

    /// Returns the configuration itself, if every value is valid.
    ///
    /// - Throws: ``ConfigurationError`` with every problem at once.
    public func validated() throws(ConfigurationError) -> SyncConfiguration {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return self
    }

    /// The values with their bounds, except those of ``backoff``.
    package static let settings: [Setting<Self>] = [
        Setting("autoSync", .flag(\.autoSync))
            .meaning("Sends by itself; without it records wait for the command sync."),
        Setting("syncThreshold", .integer(\.syncThreshold, 1...1_000_000, "records"))
            .meaning("How many waiting records trigger a delivery."),
        Setting("interval", .optionalSeconds(\.interval, 1...604_800))
            .meaning("How long a record waits for syncThreshold at the most; null for any time."),
        Setting("maxBatchSize", .integer(\.maxBatchSize, 1...10_000, "records"))
            .meaning("The most records in one delivery."),
    ]

    var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        check.values(of: self, Self.settings)
        check.values(of: backoff, Backoff.settings, under: "backoff.")
        return check.problems
    }
}

extension Backoff {
    /// The values with their bounds.
    package static let settings: [Setting<Self>] = [
        Setting("maximum", .seconds(\.maximum, 1...86_400))
            .meaning("The longest wait between two attempts."),
        Setting("jitter", .flag(\.jitter))
            .meaning("Varies the waits by chance, so that a fleet spreads its attempts."),
    ]
}

/// A sink with the settings of its deliveries.
public struct SinkBinding: Sendable {
    /// The sink.
    public let sink: any FixSink
    /// The settings of its deliveries.
    public let sync: SyncConfiguration

    /// Binds a sink; without settings, records are sent automatically with the defaults.
    public init(_ sink: any FixSink, sync: SyncConfiguration = SyncConfiguration()) {
        self.sink = sink
        self.sync = sync
    }
}
