package import TrackEngine
package import TrackEngineSettings

/// A parsed message `{"_type":"cmd","action":"…"}`: the command, or the reason for its rejection.
package enum CommandMessage: Sendable, Hashable {
    /// An allowed command.
    case command(RemoteCommand)
    /// An allowed change of the configuration.
    case configure([RemoteValue])
    /// An allowed trip; the apps have no such command.
    case startTrip(TripMode)
    /// An allowed list of places to keep, as the received message `waypoints`.
    case keepWaypoints([UInt8])
    /// Rejected for this reason, which quotes no part of the message.
    case rejected(String)

    /// Parses a command.
    ///
    /// - Parameters:
    ///   - message: the message, decrypted.
    ///   - allowed: the allowed commands.
    package init(_ message: JSONValue, allowed: Set<RemoteCommand>) {
        let expected = "expected " + Self.actions.filter { allowed.contains($0.command) }.map(\.name).inWords
        guard message["_type"]?.string == "cmd", let name = message["action"]?.string else {
            self = .rejected("expected a message of the type cmd with an action")
            return
        }
        guard let action = Self.actions.first(where: { $0.name == name }) else {
            self = .rejected("unknown action: \(expected)")
            return
        }
        guard allowed.contains(action.command) else {
            self = .rejected("action not allowed: \(expected)")
            return
        }
        switch action.command {
        case .report, .sync, .status, .dump, .stopTrip, .waypoints, .clearWaypoints: self = .command(action.command)
        case .setConfiguration:
            self =
                Self.values(message["configuration"]).map(Self.configure)
                ?? .rejected("expected 'configuration', an object with up to \(RemoteValue.maximumCount) values")
        case .startTrip:
            self =
                RemoteParameter.mode(message["mode"]).map(Self.startTrip) ?? .rejected(RemoteParameter.modeExpectation)
        case .setWaypoints:
            self =
                RemoteParameter.waypoints(message["waypoints"]).map(Self.keepWaypoints)
                ?? .rejected(RemoteParameter.waypointsExpectation)
        }
    }

    /// The values under the engine's names for the keys; `nil` if the configuration is no object of values.
    private static func values(_ configuration: JSONValue?) -> [RemoteValue]? {
        guard let members = configuration?.members?.filter({ $0.name != "_type" }) else { return nil }
        return RemoteValue.all(in: .object(members))?.map { value in
            guard let key = keys.first(where: { $0.theirs == value.key }) else { return value }
            // The apps' configuration has 0 for off where the engine's has null.
            return RemoteValue(key.ours, key.isOffAtZero && Double(value.text) == 0 ? "null" : value.text)
        }
    }

    /// Keys of the apps' configurations with the meaning and the unit of a key of the engine.
    private static let keys: [(theirs: String, ours: String, isOffAtZero: Bool)] = [
        ("locatorDisplacement", "tracking.distanceFilter", false), ("locatorInterval", "tracking.interval", true),
        ("ignoreInaccurateLocations", "tracking.minimumAccuracy", true),
    ]

    private static let actions: [(name: String, command: RemoteCommand)] = [
        ("reportLocation", .report), ("status", .status), ("dump", .dump), ("setConfiguration", .setConfiguration),
        ("startTrip", .startTrip), ("stopTrip", .stopTrip), ("waypoints", .waypoints), ("setWaypoints", .setWaypoints),
        ("clearWaypoints", .clearWaypoints),
    ]
}
