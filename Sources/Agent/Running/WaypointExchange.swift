import TrackEngine
import TrackEnginePlaces
package import TrackEngineSettings

/// Places between OwnTracks' messages and GeoJSON.
package enum WaypointExchange {
    /// The longest message that is sent, in bytes.
    package static let longestMessage = 65_536

    /// OwnTracks' waypoints as a `FeatureCollection`, and how many there are.
    ///
    /// - Throws: what was expected of the first that cannot be read; then none is to be kept.
    package static func geoJSON(of waypoints: [UInt8]) throws(RemoteRefusal) -> (bytes: [UInt8], count: Int) {
        let file = PlaceFile(waypoints)
        if let problem = file.problems.first {
            throw RemoteRefusal("waypoints: \(problem.element): \(problem.message)")
        }
        guard !file.places.isEmpty else { throw RemoteRefusal("expected one or more waypoints") }
        return (PlaceFile.geoJSON(file.places), file.places.count)
    }

    /// A `FeatureCollection` of places as OwnTracks' message. An area that is no circle is the circle in which all of it lies.
    ///
    /// - Parameter hidden: ids of places that are left out.
    /// - Throws: if the message would be too long.
    package static func waypoints(of places: [UInt8], except hidden: Set<String>) throws(RemoteRefusal) -> [UInt8] {
        let message = PlaceFile.ownTracksWaypoints(PlaceFile(places).places.filter { !hidden.contains($0.id) })
        guard message.count <= longestMessage else {
            throw RemoteRefusal("the places are too many for a message of \(longestMessage) bytes")
        }
        return message
    }
}
