import TrackEngine
import TrackEnginePlaces

extension FuzzTarget {
    /// A file of places from anybody: what is read can be used, written and read again.
    static let places = FuzzTarget(name: "places") { bytes in
        let file = PlaceFile(bytes)
        precondition(file.problems.count <= PlaceFile.maximumProblems, "more problems than the bound")
        precondition(Set(file.places.map(\.id)).count == file.places.count, "two places with one id")
        for place in file.places {
            precondition(place.area.centre.isValid, "a centre that is no position")
            precondition(place.area.radius <= Area.maximumRadius, "a larger area than the bound")
            let distance = place.area.distance(from: place.area.centre)
            precondition(distance.isFinite && distance <= 1, "a centre outside of its area")
            let share = place.area.share(ofDiscAt: place.area.centre, radius: 50)
            precondition((0...1).contains(share), "a share that is none")
        }
        precondition(
            PlaceFile(PlaceFile.geoJSON(file.places)).places.count <= file.places.count, "more than were written")
        precondition(
            PlaceFile(PlaceFile.ownTracksWaypoints(file.places)).places.count <= file.places.count,
            "more than were written")
    }

    /// What is kept of a geofence monitor, damaged: it goes on from there or from the beginning.
    static let geofenceState = FuzzTarget(name: "geofence-state") { bytes in
        let origin = Coordinate(latitude: 50, longitude: 8)
        do throws(ConfigurationError) {
            let places = [
                try Place(id: "home", name: "Home", area: .circle(centre: origin, radius: 100), dwell: .seconds(60)),
                try Place(id: "work", name: "Work", area: .circle(centre: origin, radius: 5000)),
            ]
            var monitor = try GeofenceMonitor(places: places)
            let isRead = monitor.resume(from: bytes)
            precondition(isRead || monitor.inside.isEmpty, "a state that was refused has left something")
            precondition(monitor.inside.count <= places.count, "an object that is twice in one place")
            for second in [0, 60, 120] as [Int64] {
                let fix = Fix(time: Timestamp(secondsSince1970: 1_700_000_000 + second), coordinate: origin)
                monitor.observe(DetectorFix(fix: fix, isMoving: false, odometer: 0)) { _ in }
            }
            var other = try GeofenceMonitor(places: places)
            precondition(
                other.resume(from: monitor.state) && other.inside == monitor.inside, "another state than was kept")
        } catch { preconditionFailure("\(error)") }
    }
}
