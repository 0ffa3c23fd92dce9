package import TrackEngine
package import TrackEngineMQTT

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
    /// How the connections to MQTT brokers stand, by sink.
    package var brokers: [SinkID: MQTTStatus]

    package init(
        device: DeviceID, started: Timestamp, storePath: String, tracker: TrackerStatus,
        brokers: [SinkID: MQTTStatus] = [:]
    ) {
        self.device = device
        self.started = started
        self.storePath = storePath
        self.tracker = tracker
        self.brokers = brokers
    }
}
