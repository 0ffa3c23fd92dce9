import TrackEngine
import TrackEngineSettings

extension FollowedDevice {
    /// The device for programs: its name, group, place and position, and its distance and bearing from `here`.
    func json(seenFrom here: Fix?) -> JSONValue {
        let here = here.flatMap { $0.coordinate.isValid ? $0.coordinate : nil }
        let distance = here.flatMap { here in fix.map { here.distance(to: $0.coordinate) } }
        let bearing = here.flatMap { here in fix.map { here.bearing(to: $0.coordinate) } }
        return .members(
            ("name", .string(device.rawValue)), ("group", group.map { .string($0) }),
            ("failure", failure.map { .string($0) }), ("place", place.map { .string($0) }), ("time", fix?.time.json),
            ("latitude", fix.map { .number($0.coordinate.latitude) }),
            ("longitude", fix.map { .number($0.coordinate.longitude) }),
            ("distance", distance.map { .number($0.rounded()) }),
            ("bearing", bearing.flatMap { $0.isFinite ? .number($0.rounded()) : nil }))
    }
}
