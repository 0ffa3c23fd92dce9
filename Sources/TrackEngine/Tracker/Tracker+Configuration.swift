extension Tracker {
    /// Applies a new configuration without losing or repeating anything; starts nothing.
    ///
    /// - Parameters:
    ///   - configuration: what to keep of a track from now on.
    ///   - retention: how much the store may hold; absent leaves it.
    ///   - sync: when sinks get their records, by name; sinks not named keep theirs.
    /// - Throws: ``ConfigurationError`` with every value that cannot be used; then nothing has changed. ``StoreError``.
    public func reconfigure(
        _ configuration: RecordingConfiguration, retention: RetentionConfiguration? = nil,
        sync: [SinkID: SyncConfiguration] = [:]
    ) async throws {
        let configuration = try configuration.validated()
        let retention = try (retention ?? self.retention).validated()
        for configuration in sync.values { _ = try configuration.validated() }
        self.configuration = configuration
        self.retention = retention
        self.sync.merge(sync) { $1 }
        guard state == .running else { return }
        try await store.configure(retention, sinks: Set(bindings.map(\.sink.id)))
        for lane in lanes { await lane.reconfigure(configuration) }
        for drain in drains {
            if let configuration = sync[drain.sink.id] { await drain.reconfigure(configuration) }
        }
    }
}
