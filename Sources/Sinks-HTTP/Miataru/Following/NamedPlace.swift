package import TrackEngine

/// A named place at which arrivals of followed devices are reported.
package struct NamedPlace: Sendable, Hashable {
    package var name: String
    /// The center.
    package var coordinate: Coordinate
    /// The radius in metres, 50 to 5000. Default 150.
    package var radius = 150.0

    /// The range of `radius`, in metres.
    package static let radii = 50.0...5000.0

    /// A place with the default radius.
    package init(name: String, coordinate: Coordinate) {
        self.name = name
        self.coordinate = coordinate
    }
}

/// The named place of a device. A device leaves a place when it is further from the center than 1.2 times the
/// radius, so positions that scatter around the border make only one arrival. The first known place of a device is
/// no arrival.
struct PlacePresence: Sendable, Hashable {
    private enum State: Sendable, Hashable {
        /// No position is known yet. Leads to the other states without an arrival.
        case unknown
        /// At no place.
        case elsewhere
        /// At a place, by its name.
        case at(String)
    }

    private static let hysteresis = 1.2
    private var state = State.unknown

    /// The name of the place; `nil` if the device is at none.
    var place: String? {
        guard case .at(let name) = state else { return nil }
        return name
    }

    /// Updates the position of the device; returns the name of the place at which it has just arrived.
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
