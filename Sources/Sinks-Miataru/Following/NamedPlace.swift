package import TrackEngine

/// A place with a name, to which followed devices come.
package struct NamedPlace: Sendable, Hashable {
    /// Its name.
    package var name: String
    /// Its middle.
    package var coordinate: Coordinate
    /// How far around the middle it reaches, in metres, 50 to 5000. Default 150.
    package var radius = 150.0

    /// The radii that a place may have, in metres.
    package static let radii = 50.0...5000.0

    /// A place.
    package init(name: String, coordinate: Coordinate) {
        self.name = name
        self.coordinate = coordinate
    }
}

/// At which named place a device is. It has left a place when it is a fifth of the radius beyond it, so that a place which
/// wavers at the border is one arrival. The first place that is known of a device is no arrival.
struct PlacePresence: Sendable, Hashable {
    private enum State: Sendable, Hashable {
        /// Nothing is known yet. Leads to the others, silently.
        case unknown
        /// At no place.
        case elsewhere
        /// At a place, by its name.
        case at(String)
    }

    private static let hysteresis = 1.2
    private var state = State.unknown

    /// The name of the place; `nil` for none.
    var place: String? {
        guard case .at(let name) = state else { return nil }
        return name
    }

    /// Takes where the device is now; returns the name of the place to which it has come just now.
    mutating func move(to coordinate: Coordinate, among places: [NamedPlace]) -> String? {
        let before = state
        if case .at(let name) = state, let place = places.first(where: { $0.name == name }),
            coordinate.distance(to: place.coordinate) <= place.radius * Self.hysteresis
        {
            return nil
        }
        let nearest = places.filter { coordinate.distance(to: $0.coordinate) <= $0.radius }
            .min { coordinate.distance(to: $0.coordinate) < coordinate.distance(to: $1.coordinate) }
        state = nearest.map { .at($0.name) } ?? .elsewhere
        return before == .unknown ? nil : nearest?.name
    }
}
