package import TrackEngine

/// What stands beside the name of a command that needs more than its name.
package enum RemoteParameter {
    /// How the object travels: a word of ``/TrackEngine/TripMode``; without one by bicycle, as Overland has it.
    package static func mode(_ value: JSONValue?) -> TripMode? {
        guard let value else { return .bicycle }
        return value.string.flatMap(TripMode.init(name:))
    }

    /// What a mode has to be.
    package static var modeExpectation: String { "expected 'mode', one of \(TripMode.allCases.map(\.name).inWords)" }

    /// OwnTracks' message `waypoints` with something in it, or a single `waypoint`, as bytes; `nil` for anything else.
    package static func waypoints(_ value: JSONValue?) -> [UInt8]? {
        guard let value,
            value["_type"]?.string == "waypoint"
                || value["_type"]?.string == "waypoints" && value["waypoints"]?.array?.isEmpty == false
        else { return nil }
        var writer = JSONWriter()
        value.write(to: &writer)
        return writer.bytes
    }

    /// What waypoints have to be.
    package static let waypointsExpectation =
        "expected 'waypoints', a message of the type waypoints with one or more, or a waypoint"
}
