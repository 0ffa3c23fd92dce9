public import Logging

extension Tracker {
    /// The parts and the settings of a tracker.
    ///
    /// ```swift
    /// var configuration = Tracker.Configuration(device: "van-7", store: store, sources: [source])
    /// configuration.sinks = [SinkBinding(sink)]
    /// configuration.recording.distanceFilter = 25
    /// let tracker = try Tracker(configuration: configuration)
    /// ```
    public struct Configuration: Sendable {
        /// The tracked object's name, part of each record's id.
        public var device: DeviceID
        /// The store for the records. The caller closes it after the last stop.
        public var store: any FixStore
        /// The sources of fixes; each has its own pipeline.
        public var sources: [any FixSource]
        /// The destinations of records; without sinks, the store is the destination.
        public var sinks: [SinkBinding]
        /// The rules by which fixes become records. Default: CalmGeo's.
        public var recording = RecordingConfiguration.calmGeo
        /// The limits of the store by age and size. Default: seven days.
        public var retention = RetentionConfiguration()
        /// Finds events in each source's track, such as visits; each source has a copy. Default: none.
        public var detector: (any EventDetector)?
        /// The kinds of events about the tracker and its machine in live sources' tracks: ``RecordKinds/action`` (a
        /// pause begins or ends, the tracker stops) and ``RecordKinds/power`` (the power supply changes). Default: none.
        public var ownEvents: RecordKinds = []
        /// Hides true positions from the engine. Default: none.
        public var privacyFilter: (any PrivacyFilter)?
        /// Overrides the fixes of live sources with a known position. Default: none.
        public var positionOverride: (any PositionOverride)?
        /// Returns the machine's battery and wireless network; read once for each commit. Must not block. Default: an
        /// unknown status.
        public var hostStatus: @Sendable () -> HostStatus? = { nil }
        /// The monotonic clock for timers.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// Returns the time of day.
        public var wallClock: @Sendable () -> Timestamp = { Timestamp.now() }
        /// Gets messages for the operator of a service; never a position.
        public var logger = Logger(label: "track-engine")

        /// Creates a configuration with the default of every other setting.
        public init(device: DeviceID, store: any FixStore, sources: [any FixSource], sinks: [SinkBinding] = []) {
            (self.device, self.store, self.sources, self.sinks) = (device, store, sources, sinks)
        }

        /// Throws with every unusable value.
        func validate() throws(ConfigurationError) {
            var check = ConfigurationCheck()
            check.problems = recording.problems + retention.problems
            check.unique("sources", sources.map(\.id.rawValue))
            check.unique("sinks", sinks.map(\.sink.id.rawValue))
            if device.rawValue.isEmpty { check.problem("device", "\"\"", "a name that is not empty") }
            check.problems += sinks.flatMap(\.sync.problems)
            try check.finish()
        }

        fileprivate mutating func replace(_ sync: [SinkID: SyncConfiguration]) {
            for index in sinks.indices {
                let sink = sinks[index].sink
                if let sync = sync[sink.id] { sinks[index] = SinkBinding(sink, sync: sync) }
            }
        }
    }

    /// Applies the limits to the store.
    func configureStore() async throws(StoreError) {
        try await store.configure(configuration.retention, sinks: Set(configuration.sinks.map(\.sink.id)))
    }

    /// Applies a new configuration without losing or repeating records; starts no task.
    ///
    /// - Parameters:
    ///   - recording: the recording configuration from now on.
    ///   - retention: the limits of the store; absent leaves them unchanged.
    ///   - sync: the delivery settings of sinks by name; other sinks keep theirs.
    /// - Throws: ``ConfigurationError`` with every unusable value; then the configuration is unchanged. ``StoreError``.
    public func reconfigure(
        _ recording: RecordingConfiguration, retention: RetentionConfiguration? = nil,
        sync: [SinkID: SyncConfiguration] = [:]
    ) async throws {
        let recording = try recording.validated()
        let retention = try (retention ?? configuration.retention).validated()
        for sync in sync.values { _ = try sync.validated() }
        configuration.recording = recording
        configuration.retention = retention
        configuration.replace(sync)
        guard state == .running else { return }
        try await configureStore()
        for processor in processors { await processor.change(after: .decideAll) { $0.state.reconfigure(recording) } }
        for delivery in deliveries {
            if let sync = sync[delivery.sink.id] { await delivery.reconfigure(sync) }
        }
    }
}

extension ConfigurationCheck {
    fileprivate mutating func unique(_ key: String, _ names: [String]) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted { problem(key, name, "each name once") }
    }
}
