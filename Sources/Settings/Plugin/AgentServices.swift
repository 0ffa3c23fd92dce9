public import TrackEngine

/// What only the whole agent knows or can do, for sources and sinks that need it.
public protocol AgentServices: RemoteCommandHandler {
    /// How many records wait for a sink; `nil` if that is not known now.
    func queued(for sink: SinkID) async -> Int?
    /// Whether nothing is to be sent at this moment, because somebody wants a pause. What is asked for in ``/TrackEngine/FixSink/deliver(_:)`` is
    /// none of a sink's worries: nothing is. A place that it sends by itself waits for the end of the pause.
    var isPaused: Bool { get }
    /// How sources, sinks and store stand.
    func trackerStatus() async -> TrackerStatus
    /// What the engine decides about fixes from now on, as ``/TrackEngine/Tracker/decisions(bufferingNewest:)``.
    func decisions() -> AsyncStream<TrackerDecision>
    /// Tells the agent how another device stands. The agent knows the newest state of a thousand.
    func report(_ followed: FollowedDevice)
    /// Tells the agent that a device is followed no more. Its history stays.
    func forget(_ followed: DeviceID)
    /// How the devices stand that were reported, by name.
    func followedDevices() -> [FollowedDevice]
    /// What is reported from now on. A reader that does not keep up misses what is older.
    func followedReports() -> AsyncStream<FollowedDevice>
    /// The ids by which the agent's sources ask for other devices' places.
    func followedIDs() -> [Secret]
    /// The links by which others find the tracked object's place, each with the sink that shares it.
    func sharedLinks() async -> [(sink: SinkID, link: Secret)]
    /// The named places, and what people have corrected; `nil` where the program looks after none.
    var places: (any PlaceKeeping)? { get }
}

extension AgentServices {
    /// Nobody looks after places.
    public var places: (any PlaceKeeping)? { nil }
}

/// A sink that shares the tracked object's place under a link.
public protocol PlaceSharing: FixSink {
    /// The link that others scan; `nil` as long as there is none.
    func sharedLink() async -> Secret?
}

/// A source that asks for the places of other devices.
public protocol DeviceFollowing: FixSource {
    /// The ids that it asks with, as far as they are known now.
    func followedIDs() -> [Secret]
}

/// A source or sink that needs the agent that it belongs to.
public protocol AgentAttachable: Sendable {
    /// Called once, when the agent has been put together and before it runs.
    func attach(to agent: any AgentServices)
}

/// What others may ask of an agent through one of its sinks.
public enum RemoteCommand: String, Sendable, Hashable, CaseIterable {
    /// Where is the tracked object now?
    case report
    /// Send what waits, now.
    case sync
    /// How is the agent doing?
    case status
    /// How is the agent configured? No secret is told.
    case dump
    /// Give keys of the configuration other values.
    case setConfiguration
    /// Begin a trip of a mode.
    case startTrip
    /// End the trip under way.
    case stopTrip
    /// Which named places are there? The answer is OwnTracks' message of that name.
    case waypoints
    /// Add places, or change ones that were added.
    case setWaypoints
    /// Remove the places that were added.
    case clearWaypoints
}

/// Carries out commands that came in through a sink and were found allowed.
///
/// A sink asks for one command at a time and passes the reply on.
public protocol RemoteCommandHandler: Sendable {
    /// Does what the command says and returns a JSON value of at most 64 KiB.
    ///
    /// - Throws: whatever went wrong; its description is the reply then, so it must be free of secrets.
    func perform(_ command: RemoteCommand) async throws -> [UInt8]
    /// As ``perform(_:)``, and tells through which sink the command came. By default nobody asks.
    func perform(_ command: RemoteCommand, through sink: SinkID) async throws -> [UInt8]
    /// Gives keys of the configuration other values, for ``RemoteCommand/setConfiguration``, and returns a JSON value. By default
    /// nobody may.
    ///
    /// - Parameters:
    ///   - values: what is wanted; all of it is done, or nothing.
    ///   - sink: the sink through which it came. Where neither a record nor a command gets through it afterwards, everything
    ///     is undone.
    /// - Throws: what was expected; its description is the reply then.
    func configure(_ values: [RemoteValue], through sink: SinkID) async throws -> [UInt8]
    /// Begins a trip of a mode where the tracked object is, for ``RemoteCommand/startTrip``, and returns a JSON object with
    /// `wasUnderWay`: whether a trip was under way. One of that mode that was asked for goes on. By default nobody may.
    func startTrip(_ mode: TripMode, through sink: SinkID) async throws -> [UInt8]
    /// Keeps places, for ``RemoteCommand/setWaypoints``, and returns a JSON value. By default nobody may.
    ///
    /// - Parameters:
    ///   - waypoints: OwnTracks' message `waypoints`; all of it is kept, or nothing.
    ///   - sink: the sink through which it came.
    func keepWaypoints(_ waypoints: [UInt8], through sink: SinkID) async throws -> [UInt8]
}

extension RemoteCommandHandler {
    /// Does what the command says, whoever sent it.
    public func perform(_ command: RemoteCommand, through sink: SinkID) async throws -> [UInt8] {
        try await perform(command)
    }

    /// Nobody may.
    public func configure(_ values: [RemoteValue], through sink: SinkID) async throws -> [UInt8] {
        throw RemoteRefusal("nothing can be configured from afar")
    }

    /// Nobody may.
    public func startTrip(_ mode: TripMode, through sink: SinkID) async throws -> [UInt8] {
        throw RemoteRefusal("no trip begins from afar")
    }

    /// Nobody may.
    public func keepWaypoints(_ waypoints: [UInt8], through sink: SinkID) async throws -> [UInt8] {
        throw RemoteRefusal("no places are kept from afar")
    }
}

/// Why a command is not carried out, in words for who sent it.
public struct RemoteRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected.
    public let description: String
    /// Whether it is refused at this moment alone: asked again later it may be done.
    public let isForNow: Bool

    /// A refusal from its words.
    public init(_ description: String, isForNow: Bool = false) {
        self.description = description
        self.isForNow = isForNow
    }
}
