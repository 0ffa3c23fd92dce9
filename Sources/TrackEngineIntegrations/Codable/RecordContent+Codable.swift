public import TrackEngine

/// The members of an event in addition to those of a record; a location has none of them.
private enum ContentKey: String, CodingKey { case kind, visit, trip, transition, action }

extension RecordContent: Codable {
    /// Reads `kind` and the member with the kind's name; a location if `kind` is absent.
    ///
    /// - Throws: `DecodingError` for an unknown kind, or without the member of the kind.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: ContentKey.self)
        switch try members.decodeIfPresent(RecordKind.self, forKey: .kind) ?? .location {
        case .location: self = .location
        case .heartbeat: self = .heartbeat
        case .power: self = .power
        case .visit: self = .visit(try members.decode(Visit.self, forKey: .visit))
        case .trip: self = .trip(try members.decode(Trip.self, forKey: .trip))
        case .transition: self = .transition(try members.decode(Transition.self, forKey: .transition))
        case .action: self = .action(try members.decode(TrackerAction.self, forKey: .action))
        }
    }

    /// Writes `kind` and the member with the kind's name; no members for a location.
    public func encode(to encoder: any Encoder) throws {
        guard kind != .location else { return }
        var members = encoder.container(keyedBy: ContentKey.self)
        try members.encode(kind, forKey: .kind)
        switch self {
        case .location, .heartbeat, .power: break
        case .visit(let visit): try members.encode(visit, forKey: .visit)
        case .trip(let trip): try members.encode(trip, forKey: .trip)
        case .transition(let transition): try members.encode(transition, forKey: .transition)
        case .action(let action): try members.encode(action, forKey: .action)
        }
    }
}

extension PlaceName: Codable {
    private enum Key: String, CodingKey { case id, name }

    /// Reads `id` and `name`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try members.decode(String.self, forKey: .id), name: try members.decode(String.self, forKey: .name))
    }

    /// Writes `id` and `name`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
    }
}

extension Visit: Codable {
    private enum Key: String, CodingKey { case id, radius, arrival, departure, place, endedBy }

    /// Reads `id`, the centre's `latitude` and `longitude`, `radius`, `arrival`, and, if present, `departure`,
    /// `place` and `endedBy`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try members.decode(EventID.self, forKey: .id), centre: try Coordinate(from: decoder),
            radius: try members.decode(Double.self, forKey: .radius),
            arrival: try members.decode(Timestamp.self, forKey: .arrival),
            departure: try members.decodeIfPresent(Timestamp.self, forKey: .departure),
            place: try members.decodeIfPresent(PlaceName.self, forKey: .place),
            endedBy: try members.decodeIfPresent(Trip.Reason.self, forKey: .endedBy))
    }

    /// Writes the same members.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(id, forKey: .id)
        try centre.encode(to: encoder)
        try members.encode(radius, forKey: .radius)
        try members.encode(arrival, forKey: .arrival)
        try members.encodeIfPresent(departure, forKey: .departure)
        try members.encodeIfPresent(place, forKey: .place)
        try members.encodeIfPresent(endedBy, forKey: .endedBy)
    }
}

extension Transition: Codable {
    private enum Key: String, CodingKey { case event, place, radius, created }

    /// Reads `event`, `place`, the centre's `latitude` and `longitude`, `radius`, and, if present, `created`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            event: try members.decode(Event.self, forKey: .event),
            place: try members.decode(PlaceName.self, forKey: .place), centre: try Coordinate(from: decoder),
            radius: try members.decode(Double.self, forKey: .radius),
            created: try members.decodeIfPresent(Timestamp.self, forKey: .created))
    }

    /// Writes the same members.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(event, forKey: .event)
        try members.encode(place, forKey: .place)
        try centre.encode(to: encoder)
        try members.encode(radius, forKey: .radius)
        try members.encodeIfPresent(created, forKey: .created)
    }
}
