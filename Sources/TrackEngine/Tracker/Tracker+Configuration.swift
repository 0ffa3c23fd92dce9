extension Tracker {
    /// Applies a new configuration without losing or repeating records; starts no task.
    ///
    /// - Parameters:
    ///   - configuration: the recording configuration from now on.
    ///   - retention: the limits of the store; absent leaves them unchanged.
    ///   - sync: the delivery settings of sinks by name; other sinks keep theirs.
    /// - Throws: ``ConfigurationError`` with every unusable value; then the configuration is unchanged. ``StoreError``.
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
        for lane in lanes { await lane.change(after: .decideAll) { $0.reconfigure(configuration) } }
        for drain in drains {
            if let configuration = sync[drain.sink.id] { await drain.reconfigure(configuration) }
        }
    }
}
