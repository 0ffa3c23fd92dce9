public import TrackEngine

/// Information and actions of the whole agent, for sources and sinks that need them.
public protocol AgentServices: RemoteCommandHandler {
    /// The number of records that wait for a sink; `nil` if it is not known now.
    func queued(for sink: SinkID) async -> Int?
    /// Whether delivery is paused at a user's request. The engine does not call ``/TrackEngine/FixSink/deliver(_:)``
    /// during a pause, so a sink checks this only before it sends a position by itself; it keeps that position until
    /// the pause ends.
    var isPaused: Bool { get }
    /// The status of sources, sinks and store.
    func trackerStatus() async -> TrackerStatus
    /// The engine's decisions about fixes from now on, as ``/TrackEngine/Tracker/decisions(bufferingNewest:)``.
    func decisions() -> AsyncStream<TrackerDecision>
    /// Reports the state of another device. The agent keeps the newest state of up to a thousand devices.
    func report(_ followed: FollowedDevice)
    /// Removes a device that is no longer followed. Its history is kept.
    func forget(_ followed: DeviceID)
    /// The last reported states of the followed devices, by name.
    func followedDevices() -> [FollowedDevice]
    /// The reports from now on. A slow reader misses older reports.
    func followedReports() -> AsyncStream<FollowedDevice>
    /// The ids with which the agent's sources request positions of other devices.
    func followedIDs() -> [Secret]
    /// The links to the tracked object's position, each with the sink that shares it.
    func sharedLinks() async -> [(sink: SinkID, link: Secret)]
    /// The named places and the corrections of visits and trips; `nil` if the program does not manage places.
    var places: (any PlaceEditor)? { get }
}

extension AgentServices {
    /// No places are managed.
    public var places: (any PlaceEditor)? { nil }
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

/// A source or sink that needs the agent to which it belongs.
public protocol AgentClient: Sendable {
    /// Attaches the agent. Called once, after the agent has been assembled and before it runs.
    func attach(to agent: any AgentServices)
}

/// The commands that others may send to an agent through one of its sinks.
public enum RemoteCommand: String, Sendable, Hashable, CaseIterable {
    /// Report the current position of the tracked object.
    case report
    /// Deliver the waiting records now.
    case sync
    /// Return the agent's status.
    case status
    /// Return the agent's configuration, without secrets.
    case dump
    /// Change values of the configuration.
    case setConfiguration
    /// Start a trip with a mode.
    case startTrip
    /// End the current trip.
    case stopTrip
    /// Return the named places as an OwnTracks message `waypoints`.
    case waypoints
    /// Add places, or change places that were added.
    case setWaypoints
    /// Remove the places that were added.
    case clearWaypoints
}

/// Performs commands that were received through a sink and found to be allowed.
///
/// A sink sends one command at a time and passes the reply on.
public protocol RemoteCommandHandler: Sendable {
    /// Performs a command and returns a JSON value of at most 64 KiB.
    ///
    /// - Throws: an error whose description is sent as the reply, so it must be free of secrets.
    func perform(_ command: RemoteCommand) async throws -> [UInt8]
    /// Performs a command like ``perform(_:)``, given the sink through which it came. By default the sink is ignored.
    func perform(_ command: RemoteCommand, through sink: SinkID) async throws -> [UInt8]
    /// Changes values of the configuration, for ``RemoteCommand/setConfiguration``, and returns a JSON value. Refused
    /// by default.
    ///
    /// - Parameters:
    ///   - values: the requested values; either all of them are set, or none.
    ///   - sink: the sink through which the request came. If neither a record nor a command gets through it
    ///     afterwards, the change is undone.
    /// - Throws: the expectation that was not met; its description is sent as the reply.
    func configure(_ values: [RemoteValue], through sink: SinkID) async throws -> [UInt8]
    /// Starts a trip with a mode at the tracked object's position, for ``RemoteCommand/startTrip``, and returns a JSON
    /// object with `wasUnderWay`: whether a trip was under way. A requested trip with the same mode continues. Refused
    /// by default.
    func startTrip(_ mode: TripMode, through sink: SinkID) async throws -> [UInt8]
    /// Saves places, for ``RemoteCommand/setWaypoints``, and returns a JSON value. Refused by default.
    ///
    /// - Parameters:
    ///   - waypoints: an OwnTracks message `waypoints`; either all of it is saved, or none.
    ///   - sink: the sink through which the message came.
    func keepWaypoints(_ waypoints: [UInt8], through sink: SinkID) async throws -> [UInt8]
}

extension RemoteCommandHandler {
    /// Performs the command for any sink.
    public func perform(_ command: RemoteCommand, through sink: SinkID) async throws -> [UInt8] {
        try await perform(command)
    }

    /// Refuses the request.
    public func configure(_ values: [RemoteValue], through sink: SinkID) async throws -> [UInt8] {
        throw RemoteRejection("the configuration cannot be changed remotely")
    }

    /// Refuses the request.
    public func startTrip(_ mode: TripMode, through sink: SinkID) async throws -> [UInt8] {
        throw RemoteRejection("trips cannot be started remotely")
    }

    /// Refuses the request.
    public func keepWaypoints(_ waypoints: [UInt8], through sink: SinkID) async throws -> [UInt8] {
        throw RemoteRejection("places cannot be added remotely")
    }
}

/// The reason why a command is refused, in words for its sender.
public struct RemoteRejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expectation that was not met.
    public let description: String
    /// Whether the refusal is temporary: a later attempt may succeed.
    public let isForNow: Bool

    /// Creates a refusal from its description.
    public init(_ description: String, isForNow: Bool = false) {
        self.description = description
        self.isForNow = isForNow
    }
}
