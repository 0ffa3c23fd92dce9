import TrackEngine
import TrackEnginePlaces
package import TrackEngineSettings

/// Converts places between OwnTracks' messages and GeoJSON.
package enum WaypointCodec {
    /// The longest message that is sent, in bytes.
    package static let longestMessage = 65_536

    /// Returns OwnTracks' waypoints as a `FeatureCollection`, and their number.
    ///
    /// - Throws: the expectation that the first invalid waypoint did not meet; then none should be saved.
    package static func geoJSON(of waypoints: [UInt8]) throws(RemoteRejection) -> (bytes: [UInt8], count: Int) {
        let file = PlaceFile(waypoints)
        if let problem = file.problems.first {
            throw RemoteRejection("waypoints: \(problem.element): \(problem.message)")
        }
        guard !file.places.isEmpty else { throw RemoteRejection("expected one or more waypoints") }
        return (PlaceFile.geoJSON(file.places), file.places.count)
    }

    /// Returns a `FeatureCollection` of places as an OwnTracks message. An area that is not a circle becomes a circle
    /// around it.
    ///
    /// - Parameter hidden: the ids of places to leave out.
    /// - Throws: if the message would be too long.
    package static func waypoints(of places: [UInt8], except hidden: Set<String>) throws(RemoteRejection) -> [UInt8] {
        let message = PlaceFile.ownTracksWaypoints(PlaceFile(places).places.filter { !hidden.contains($0.id) })
        guard message.count <= longestMessage else {
            throw RemoteRejection("the places are too many for a message of \(longestMessage) bytes")
        }
        return message
    }
}
