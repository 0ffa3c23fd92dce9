public import TrackEngine

/// A source or sink that needs the agent to which it belongs.
public protocol AgentClient: Sendable {
    /// The part of the agent that it needs: one of the protocols in ``AgentServices``, or several of them joined by `&`.
    associatedtype Services
    /// Attaches the agent. Called once, after the agent has been assembled and before it runs.
    func attach(to agent: Services)
}

/// All services of an agent for its sources and sinks.
public typealias AgentServices =
    RemoteCommandHandler & TrackerReader & QueueReader & FollowReporter & FollowReader & SharingReader & PlaceProvider

/// The state of the agent's tracker.
public protocol TrackerReader: Sendable {
    /// Whether delivery is paused at a user's request. The engine does not call ``/TrackEngine/FixSink/deliver(_:)``
    /// during a pause, so a sink checks this only before it sends a position by itself; it keeps that position until
    /// the pause ends.
    var isPaused: Bool { get }
    /// The status of sources, sinks and store.
    func trackerStatus() async -> TrackerStatus
    /// The engine's decisions about fixes from now on, as ``/TrackEngine/Tracker/decisions(bufferingNewest:)``.
    func decisions() -> AsyncStream<TrackerDecision>
}

/// The lengths of the sinks' queues.
public protocol QueueReader: Sendable {
    /// The number of records that wait for a sink; `nil` if it is not known now. It is read without asking the store.
    func queued(for sink: SinkID) async -> Int?
}

/// Takes the reports about other devices.
public protocol FollowReporter: Sendable {
    /// Reports the state of another device. The agent keeps the newest state of up to a thousand devices.
    func report(_ followed: FollowedDevice)
    /// Removes a device that is no longer followed. Its history is kept.
    func forget(_ followed: DeviceID)
}

/// The other devices that sources and sinks of the agent report.
public protocol FollowReader: Sendable {
    /// The last reported states of the followed devices, by name.
    func followedDevices() -> [FollowedDevice]
    /// The reports from now on. A slow reader misses older reports.
    func followedReports() -> AsyncStream<FollowedDevice>
}

/// The ids and links of people who share positions with each other.
public protocol SharingReader: Sendable {
    /// The ids with which the agent's sources request positions of other devices.
    func followedIDs() -> [Secret]
    /// The links to the tracked object's position, each with the sink that shares it.
    func sharedLinks() async -> [(sink: SinkID, link: Secret)]
}

/// The places of the agent.
public protocol PlaceProvider: Sendable {
    /// The named places and the corrections of visits and trips.
    var places: any PlaceEditor { get }
}

/// A sink that shares the tracked object's position under a link.
public protocol PlaceSharing: FixSink {
    /// The link that others scan; `nil` until there is one.
    func sharedLink() async -> Secret?
}

/// A source that requests the positions of other devices.
public protocol FollowSource: FixSource {
    /// The ids that it sends in its requests, as far as they are known now.
    func followedIDs() -> [Secret]
}
