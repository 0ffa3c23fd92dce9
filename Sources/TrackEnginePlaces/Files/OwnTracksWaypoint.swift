import TrackEngine

/// A place in OwnTracks' format: a circle with a description, and `rid` or the time of its creation as its key.
enum OwnTracksWaypoint {
    /// The earliest real time, 1970-01-12: smaller values number waypoints.
    private static let earliest = 1_000_000.0

    /// Reads a waypoint and returns its circle. Returns `nil` for one without a position and notes the reason in the
    /// draft.
    static func read(_ waypoint: JSONValue, into draft: inout PlaceDraft) -> Area.Shape? {
        let time = waypoint["tst"]?.number
        draft.name = waypoint["desc"]?.string
        draft.id = waypoint["rid"]?.string ?? time.flatMap { Int64(exactly: $0) }.map { "\($0)" }
        if let time, time >= earliest { draft.set("created", .number(time)) }
        if draft.name == nil { draft.problem("desc", "none", "a text") }
        guard let radius = waypoint["rad"]?.number else {
            draft.problem("rad", "none", "a number of metres; beacons are no places")
            return nil
        }
        guard let latitude = waypoint["lat"]?.number, let longitude = waypoint["lon"]?.number,
            let centre = Coordinate(longitude: longitude, latitude: latitude)
        else {
            draft.problem("lat, lon", "no position", "degrees")
            return nil
        }
        return .circle(centre: centre, radius: radius)
    }
}

extension PlaceFile {
    /// Places as an OwnTracks `waypoints` message, which apps import and accept as a `setWaypoints` command.
    ///
    /// OwnTracks supports only circles, in whole metres: any other area becomes the circle around its centre that
    /// contains all of it. A place with an unknown creation time has its number, from 1 on, as its time, because the
    /// time is mandatory and apps treat places with equal times as one place.
    public static func ownTracksWaypoints(_ places: [Place]) -> [UInt8] {
        var writer = JSONWriter()
        writer.raw(#"{"_type":"waypoints","waypoints":"#)
        writer.array(places.enumerated()) { writer, element in
            let (index, place) = element
            writer.member(#"{"_type":"waypoint","desc":"#, place.name)
            writer.member(#","lat":"#, place.area.centre.latitude, decimals: 9)
            writer.member(#","lon":"#, place.area.centre.longitude, decimals: 9)
            writer.member(#","rad":"#, place.area.radius.rounded(.up), decimals: 0)
            writer.member(#","tst":"#, place.created?.secondsSince1970 ?? Int64(index + 1))
            writer.member(#","rid":"#, place.id)
            writer.raw("}")
        }
        writer.raw("}")
        return writer.bytes
    }
}
