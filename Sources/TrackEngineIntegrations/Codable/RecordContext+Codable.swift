public import TrackEngine

/// The members of a context in addition to those of a record or a source's report.
private enum ContextKey: String, CodingKey { case places, onTrip }

extension RecordContext: Encodable {
    /// Writes `places`, if there are any, and `onTrip`, if a trip is under way.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: ContextKey.self)
        if !places.isEmpty { try members.encode(places, forKey: .places) }
        try members.encodeIfPresent(trip, forKey: .onTrip)
    }

    /// Reads `places` and `onTrip`; `nil` if both are absent.
    static func decodeIfPresent(from decoder: any Decoder) throws -> RecordContext? {
        let members = try decoder.container(keyedBy: ContextKey.self)
        return RecordContext(
            places: try members.decodeIfPresent([PlaceName].self, forKey: .places) ?? [],
            trip: try members.decodeIfPresent(CurrentTrip.self, forKey: .onTrip))
    }
}

extension CurrentTrip: Codable {
    private enum Key: String, CodingKey { case id, mode, start, startedBy, odometerAtStart }

    /// Reads `id`, `mode`, `start`, `startedBy` and `odometerAtStart`, in metres.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try members.decode(EventID.self, forKey: .id), mode: try members.decode(TripMode.self, forKey: .mode),
            start: try members.decode(Trip.End.self, forKey: .start),
            startedBy: try members.decode(Trip.Reason.self, forKey: .startedBy),
            odometerAtStart: try members.decode(Double.self, forKey: .odometerAtStart))
    }

    /// Writes the same members.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(id, forKey: .id)
        try members.encode(mode, forKey: .mode)
        try members.encode(start, forKey: .start)
        try members.encode(startedBy, forKey: .startedBy)
        try members.encode(odometerAtStart, forKey: .odometerAtStart)
    }
}
