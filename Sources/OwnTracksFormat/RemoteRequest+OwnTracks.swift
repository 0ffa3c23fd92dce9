package import TrackEngine
package import TrackEngineSettings

extension RemoteRequest {
    /// Parses a message `{"_type":"cmd","action":"…"}`.
    ///
    /// - Parameters:
    ///   - message: the message, decrypted.
    ///   - allowed: the allowed commands.
    /// - Throws: the reason for its rejection, which quotes no part of the message.
    package init(ownTracks message: JSONValue, allowed: Set<RemoteCommand>) throws(RemoteRejection) {
        let expected = "expected " + Self.actions.filter { allowed.contains($0.command) }.map(\.name).inWords
        guard message["_type"]?.string == "cmd", let name = message["action"]?.string else {
            throw RemoteRejection("expected a message of the type cmd with an action")
        }
        guard let action = Self.actions.first(where: { $0.name == name }) else {
            throw RemoteRejection("unknown action: \(expected)")
        }
        guard allowed.contains(action.command) else { throw RemoteRejection("action not allowed: \(expected)") }
        try self.init(action.command, in: message, values: Self.values(message["configuration"]))
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
