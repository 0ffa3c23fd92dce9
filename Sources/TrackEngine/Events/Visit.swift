/// A stay at one place.
///
/// It is announced at the arrival, with an open ``departure``, and recorded once more under the same ``id`` when it is
/// complete.
public struct Visit: Sendable, Hashable, Identifiable {
    /// The same id in every record of this visit.
    public let id: EventID
    /// The centre of the positions during the stay.
    public let centre: Coordinate
    /// The radius around the centre that contains the stay's positions, in metres; at least their accuracy.
    public let radius: Double
    /// The time of arrival.
    public let arrival: Timestamp
    /// The time of departure; absent during the stay.
    public let departure: Timestamp?
    /// The named place that contains the centre, if there is one.
    public let place: PlaceName?
    /// ``Trip/Reason/recording`` if the recording ended during the stay, at ``departure``; absent otherwise.
    public let endedBy: Trip.Reason?

    /// Creates a visit.
    public init(
        id: EventID, centre: Coordinate, radius: Double, arrival: Timestamp, departure: Timestamp? = nil,
        place: PlaceName? = nil, endedBy: Trip.Reason? = nil
    ) {
        self.id = id
        self.centre = centre
        self.radius = radius
        self.arrival = arrival
        self.departure = departure
        self.place = place
        self.endedBy = endedBy
    }
}

/// A reference to a named place in events.
public struct PlaceName: Sendable, Hashable {
    /// The id of the place within a configuration; unchanged when the place is renamed.
    public let id: String
    /// The display name.
    public let name: String

    /// Creates a reference to a place.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
