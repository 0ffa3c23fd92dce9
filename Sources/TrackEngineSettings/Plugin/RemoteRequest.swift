public import TrackEngine

/// Performs requests that were received through a sink and found to be allowed.
///
/// A sink sends one request at a time and passes the reply on.
public protocol RemoteCommandHandler: Sendable {
    /// Performs a request and returns a JSON value of at most 64 KiB.
    ///
    /// - Parameters:
    ///   - request: the command with its parameters.
    ///   - sink: the sink through which it came. If neither a record nor another command gets through it after a change
    ///     of the configuration, the change is undone.
    /// - Throws: an error whose description is sent as the reply, so it must be free of secrets.
    func perform(_ request: RemoteRequest, through sink: SinkID) async throws -> [UInt8]
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

/// A command with its parameters.
public enum RemoteRequest: Sendable, Hashable {
    /// As ``RemoteCommand/report``.
    case report
    /// As ``RemoteCommand/sync``.
    case sync
    /// As ``RemoteCommand/status``.
    case status
    /// As ``RemoteCommand/dump``.
    case dump
    /// Sets either all of the values or none.
    case setConfiguration([RemoteValue])
    /// Starts a trip with a mode at the tracked object's position. The reply is an object with `wasUnderWay`: whether a
    /// trip was under way. A requested trip with the same mode continues.
    case startTrip(TripMode)
    /// As ``RemoteCommand/stopTrip``.
    case stopTrip
    /// As ``RemoteCommand/waypoints``.
    case waypoints
    /// Saves either all of an OwnTracks message `waypoints` or none.
    case setWaypoints([UInt8])
    /// As ``RemoteCommand/clearWaypoints``.
    case clearWaypoints

    /// The command without its parameters.
    public var command: RemoteCommand {
        switch self {
        case .report: .report
        case .sync: .sync
        case .status: .status
        case .dump: .dump
        case .setConfiguration: .setConfiguration
        case .startTrip: .startTrip
        case .stopTrip: .stopTrip
        case .waypoints: .waypoints
        case .setWaypoints: .setWaypoints
        case .clearWaypoints: .clearWaypoints
        }
    }

    /// Reads the parameters of a command from the message with its name.
    ///
    /// - Parameter values: the values in the message's member `configuration`.
    /// - Throws: the expectation for a parameter.
    package init(
        _ command: RemoteCommand, in message: JSONValue?, values: [RemoteValue]?
    ) throws(RemoteRejection) {
        switch command {
        case .report: self = .report
        case .sync: self = .sync
        case .status: self = .status
        case .dump: self = .dump
        case .setConfiguration:
            self = .setConfiguration(
                try Self.require(
                    values, "expected 'configuration', an object with up to \(RemoteValue.maximumCount) values"))
        case .startTrip: self = .startTrip(try Self.require(Self.mode(message?["mode"]), Self.modeExpectation))
        case .stopTrip: self = .stopTrip
        case .waypoints: self = .waypoints
        case .setWaypoints:
            self = .setWaypoints(
                try Self.require(
                    Self.waypoints(message?["waypoints"]),
                    "expected 'waypoints', a message of the type waypoints with one or more, or a waypoint"))
        case .clearWaypoints: self = .clearWaypoints
        }
    }

    private static func require<Value>(_ value: Value?, _ expectation: String) throws(RemoteRejection) -> Value {
        guard let value else { throw RemoteRejection(expectation) }
        return value
    }

    /// The mode of a trip, a word of ``/TrackEngine/TripMode``; bicycle if it is absent, as in Overland.
    package static func mode(_ value: JSONValue?) -> TripMode? {
        guard let value else { return .bicycle }
        return value.string.flatMap(TripMode.init(name:))
    }

    /// The expectation for a mode.
    package static var modeExpectation: String { "expected 'mode', one of \(TripMode.allCases.map(\.name).inWords)" }

    /// An OwnTracks message `waypoints` with at least one element, or a single `waypoint`, as bytes; `nil` for any
    /// other value.
    private static func waypoints(_ value: JSONValue?) -> [UInt8]? {
        guard let value,
            value["_type"]?.string == "waypoint"
                || value["_type"]?.string == "waypoints" && value["waypoints"]?.array?.isEmpty == false
        else { return nil }
        return value.bytes
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
