import TrackEngine
import TrackEngineSettings

extension FollowedDevice {
    /// The device for programs: its name, group, place and position, and its distance and bearing from `here`.
    func json(seenFrom here: Fix?) -> JSONValue {
        var members = [JSONValue.Member("name", .string(device.rawValue))]
        if let group { members.append(.init("group", .string(group))) }
        if let failure { members.append(.init("failure", .string(failure))) }
        if let place { members.append(.init("place", .string(place))) }
        guard let fix else { return .object(members) }
        members += [
            .init("time", .string(fix.time.rfc3339())), .init("latitude", .number(fix.coordinate.latitude)),
            .init("longitude", .number(fix.coordinate.longitude)),
        ]
        if let here, here.coordinate.isValid {
            members.append(.init("distance", .number(here.coordinate.distance(to: fix.coordinate).rounded())))
            let bearing = here.coordinate.bearing(to: fix.coordinate)
            if bearing.isFinite { members.append(.init("bearing", .number(bearing.rounded()))) }
        }
        return .object(members)
    }
}
