public import TrackEngine

extension Trip.End: Codable {
    private enum Key: String, CodingKey { case time, place }

    /// Reads `time`, `latitude`, `longitude`, and, if present, `place`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            time: try members.decode(Timestamp.self, forKey: .time), coordinate: try Coordinate(from: decoder),
            place: try members.decodeIfPresent(PlaceName.self, forKey: .place))
    }

    /// Writes the same members.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(time, forKey: .time)
        try coordinate.encode(to: encoder)
        try members.encodeIfPresent(place, forKey: .place)
    }
}

extension Trip: Codable {
    private enum Key: String, CodingKey {
        case id, mode, start, end, distance, movingTime, topSpeed, climb, startedBy, endedBy
    }

    /// Reads the members of `trip` in an event's message: `distance` and `climb` in metres, `movingTime` in seconds,
    /// `topSpeed` in metres per second.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try members.decode(EventID.self, forKey: .id), mode: try members.decode(TripMode.self, forKey: .mode),
            start: try members.decode(End.self, forKey: .start),
            end: try members.decodeIfPresent(End.self, forKey: .end),
            distance: try members.decode(Double.self, forKey: .distance),
            movingTime: .seconds(try members.decode(Double.self, forKey: .movingTime)),
            topSpeed: try members.decodeIfPresent(Double.self, forKey: .topSpeed),
            climb: try members.decodeIfPresent(Double.self, forKey: .climb),
            startedBy: try members.decode(Reason.self, forKey: .startedBy),
            endedBy: try members.decodeIfPresent(Reason.self, forKey: .endedBy))
    }

    /// Writes the same members.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(id, forKey: .id)
        try members.encode(mode, forKey: .mode)
        try members.encode(start, forKey: .start)
        try members.encodeIfPresent(end, forKey: .end)
        try members.encode(distance, forKey: .distance)
        try members.encode(movingTime / .seconds(1), forKey: .movingTime)
        try members.encodeIfPresent(topSpeed, forKey: .topSpeed)
        try members.encodeIfPresent(climb, forKey: .climb)
        try members.encode(startedBy, forKey: .startedBy)
        try members.encodeIfPresent(endedBy, forKey: .endedBy)
    }
}
