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
