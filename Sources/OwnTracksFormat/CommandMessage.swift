package import TrackEngine
package import TrackEngineSettings

/// A message `{"_type":"cmd","action":"…"}`, looked at: what to do, or why nothing is done.
package enum CommandMessage: Sendable, Hashable {
    /// An allowed command.
    case command(RemoteCommand)
    /// An allowed change of the configuration.
    case configure([RemoteValue])
    /// An allowed trip; the apps have no such command.
    case startTrip(TripMode)
    /// Allowed places to be kept, as the message `waypoints` that came.
    case keepWaypoints([UInt8])
    /// Nothing to be done, for this reason. It quotes nothing of the message.
    case rejected(String)

    /// Reads a command.
    ///
    /// - Parameters:
    ///   - message: the message, decrypted.
    ///   - allowed: what is carried out.
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

    /// The values under our names for the keys; `nil` for what is no object of values.
    private static func values(_ configuration: JSONValue?) -> [RemoteValue]? {
        guard let members = configuration?.members?.filter({ $0.name != "_type" }) else { return nil }
        return RemoteValue.all(in: .object(members))?.map { value in
            guard let key = keys.first(where: { $0.theirs == value.key }) else { return value }
            // Where theirs says 0 for off ours says null.
            return RemoteValue(key.ours, key.isOffAtZero && Double(value.text) == 0 ? "null" : value.text)
        }
    }

    /// Keys of the apps' configurations that have the meaning and the unit of one of ours.
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
