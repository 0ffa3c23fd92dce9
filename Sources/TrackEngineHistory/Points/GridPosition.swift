import TrackEngine

/// A position in 1e-7 degrees: on the equator a step is 11 mm.
struct GridPosition: Sendable, Hashable {
    /// -900 000 000 to 900 000 000.
    let latitude: Int32
    /// -1 800 000 000 to 1 800 000 000.
    let longitude: Int32

    init(latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The place of two stored numbers; `nil` when they are missing or out of range.
    init?(_ latitude: Int64?, _ longitude: Int64?) {
        guard let latitude, let longitude, (-900_000_000...900_000_000).contains(latitude),
            (-1_800_000_000...1_800_000_000).contains(longitude)
        else { return nil }
        self.init(latitude: Int32(latitude), longitude: Int32(longitude))
    }

    /// The nearest place of the grid; `nil` for a coordinate that is not valid.
    init?(_ coordinate: Coordinate) {
        guard coordinate.isValid else { return nil }
        latitude = Int32((coordinate.latitude * 1e7).rounded())
        longitude = Int32((coordinate.longitude * 1e7).rounded())
    }

    var coordinate: Coordinate { Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7) }
}
