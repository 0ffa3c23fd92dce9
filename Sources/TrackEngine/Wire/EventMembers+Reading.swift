/// Reads the members written by ``EventMembers``.
extension EventMembers {
    /// Returns the visit in an object's member `visit`; `nil` for any other value.
    package static func visit(_ json: JSONValue) -> Visit? {
        guard let json = json["visit"], let id = json.eventID, let centre = json.coordinate,
            let radius = json["radius"]?.number, let arrival = json.time("arrival")
        else { return nil }
        return Visit(
            id: id, centre: centre, radius: radius, arrival: arrival, departure: json.time("departure"),
            place: json.place, endedBy: json.trigger("endedBy"))
    }

    /// Returns the trip in an object's member `trip`; `nil` for any other value.
    package static func trip(_ json: JSONValue) -> Trip? {
        guard let json = json["trip"], let id = json.eventID, let start = json["start"]?.terminus,
            let mode = json["mode"]?.string.flatMap(TripMode.init(name:)), let distance = json["distance"]?.number,
            let moving = json["movingTime"]?.number, abs(moving) < 1e12,
            let startedBy = json.trigger("startedBy")
        else { return nil }
        return Trip(
            id: id, mode: mode, start: start, end: json["end"]?.terminus, distance: distance,
            movingTime: .seconds(moving), topSpeed: json["topSpeed"]?.number, climb: json["climb"]?.number,
            startedBy: startedBy, endedBy: json.trigger("endedBy"))
    }
}

extension JSONValue {
    fileprivate var eventID: EventID? {
        self["id"]?.string.flatMap(RecordID.init).map { EventID(rawValue: $0.rawValue) }
    }

    /// The position of an object with `latitude` and `longitude`, if it is valid.
    package var coordinate: Coordinate? {
        guard let latitude = self["latitude"]?.number, let longitude = self["longitude"]?.number else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        return coordinate.isValid ? coordinate : nil
    }

    fileprivate var place: PlaceName? {
        guard let place = self["place"], let id = place["id"]?.string, let name = place["name"]?.string else {
            return nil
        }
        return PlaceName(id: id, name: name)
    }

    fileprivate var terminus: Trip.End? {
        guard let time = time("time"), let coordinate else { return nil }
        return Trip.End(time: time, coordinate: coordinate, place: place)
    }

    fileprivate func time(_ name: String) -> Timestamp? { self[name]?.string.flatMap { Timestamp(rfc3339: $0) } }

    fileprivate func trigger(_ name: String) -> Trip.Reason? {
        guard let word = self[name]?.string else { return nil }
        return Trip.Reason.allCases.first { $0.name == word }
    }
}
