package import TrackEngine
package import TrackEngineSettings

/// How an agent stands at one moment: what a status page shows.
package struct AgentStatus: Sendable, Hashable {
    /// The tracked object's name.
    package var device: DeviceID
    /// When the agent started.
    package var started: Timestamp
    /// Where the store is.
    package var storePath: String
    /// The engine.
    package var tracker: TrackerStatus
    /// What sources say about themselves besides.
    package var sourceStatus: [SourceID: PluginStatus]
    /// What sinks say about themselves besides, such as how the connection to a broker stands.
    package var sinkStatus: [SinkID: PluginStatus]

    package init(
        device: DeviceID, started: Timestamp, storePath: String, tracker: TrackerStatus,
        sourceStatus: [SourceID: PluginStatus] = [:], sinkStatus: [SinkID: PluginStatus] = [:]
    ) {
        self.device = device
        self.started = started
        self.storePath = storePath
        self.tracker = tracker
        self.sourceStatus = sourceStatus
        self.sinkStatus = sinkStatus
    }
}
