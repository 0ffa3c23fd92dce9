/// A stay at one place.
///
/// It is announced at the arrival, with an open ``departure``, and told once more under the same ``id`` when it is complete.
public struct Visit: Sendable, Hashable, Identifiable {
    /// The same in every record of this visit.
    public let id: EventID
    /// The middle of the positions during the stay.
    public let centre: Coordinate
    /// How far from the centre the stay's positions lie, in metres; at least their accuracy.
    public let radius: Double
    /// When the stay began.
    public let arrival: Timestamp
    /// When it ended; absent while it lasts.
    public let departure: Timestamp?
    /// The named place in which the centre lies, if there is one.
    public let place: PlaceName?

    /// Makes a visit.
    public init(
        id: EventID, centre: Coordinate, radius: Double, arrival: Timestamp, departure: Timestamp? = nil,
        place: PlaceName? = nil
    ) {
        self.id = id
        self.centre = centre
        self.radius = radius
        self.arrival = arrival
        self.departure = departure
        self.place = place
    }
}

/// A named place, as events refer to it.
public struct PlaceName: Sendable, Hashable {
    /// Names the place within a configuration; stays the same when the place gets another name.
    public let id: String
    /// What people call it.
    public let name: String

    /// Refers to a place.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
