package import TrackEngine

/// How an agent stands at one moment: what a status page shows.
package struct AgentStatus: Sendable, Hashable {
    /// The tracked thing's name.
    package var device: DeviceID
    /// When the agent started.
    package var started: Timestamp
    /// Where the store is.
    package var storePath: String
    /// The engine.
    package var tracker: TrackerStatus

    package init(device: DeviceID, started: Timestamp, storePath: String, tracker: TrackerStatus) {
        self.device = device
        self.started = started
        self.storePath = storePath
        self.tracker = tracker
    }
}
