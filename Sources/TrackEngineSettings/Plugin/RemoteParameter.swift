package import TrackEngine

/// The parameters of commands that consist of more than a name.
package enum RemoteParameter {
    /// The mode of a trip, a word of ``/TrackEngine/TripMode``; bicycle if it is absent, as in Overland.
    package static func mode(_ value: JSONValue?) -> TripMode? {
        guard let value else { return .bicycle }
        return value.string.flatMap(TripMode.init(name:))
    }

    /// The expectation for a mode.
    package static var modeExpectation: String { "expected 'mode', one of \(TripMode.allCases.map(\.name).inWords)" }

    /// An OwnTracks message `waypoints` with at least one element, or a single `waypoint`, as bytes; `nil` for any
    /// other value.
    package static func waypoints(_ value: JSONValue?) -> [UInt8]? {
        guard let value,
            value["_type"]?.string == "waypoint"
                || value["_type"]?.string == "waypoints" && value["waypoints"]?.array?.isEmpty == false
        else { return nil }
        var writer = JSONWriter()
        value.write(to: &writer)
        return writer.bytes
    }

    /// The expectation for waypoints.
    package static let waypointsExpectation =
        "expected 'waypoints', a message of the type waypoints with one or more, or a waypoint"
}
