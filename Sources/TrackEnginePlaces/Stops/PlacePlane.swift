internal import TrackEngine

/// A local plane around a place, in metres east and north of it: accurate to 0.1 % within 10 km, also across the
/// antimeridian.
///
/// Within 10 m of a pole, directions are meaningless; distances there are too short, never too long.
struct PlacePlane: Sendable, Hashable, BitwiseCopyable {
    let origin: Coordinate
    /// Metres per degree of latitude.
    private let north: Double
    /// Metres per degree of longitude.
    private let east: Double

    /// A frame around a valid coordinate.
    init(at origin: Coordinate) {
        self.origin = origin
        // The length of a hundredth of a degree at the origin, along both axes; along the meridian, measured away
        // from the nearer pole.
        let step = origin.latitude > 0 ? -0.01 : 0.01
        let beside = Coordinate(latitude: origin.latitude, longitude: 0.01)
        let base = Coordinate(latitude: origin.latitude, longitude: 0)
        north = base.distance(to: Coordinate(latitude: origin.latitude + step, longitude: 0)) * 100
        east = base.distance(to: beside) * 100
    }

    /// Metres east and north of the origin.
    func offset(of coordinate: Coordinate) -> LocalOffset {
        var turn = coordinate.longitude - origin.longitude
        // The remainder costs a tenth of the processing time of a fix and matters only at the antimeridian.
        if abs(turn) > 180 { turn.formRemainder(dividingBy: 360) }
        return LocalOffset(east: turn * east, north: (coordinate.latitude - origin.latitude) * north)
    }

    func coordinate(of offset: LocalOffset) -> Coordinate {
        let turn = east > 0 ? offset.east / east : 0
        return Coordinate(
            latitude: min(max(origin.latitude + offset.north / north, -90), 90),
            longitude: (origin.longitude + turn).remainder(dividingBy: 360))
    }
}

/// An offset in metres east and north.
struct LocalOffset: Sendable, Hashable, BitwiseCopyable {
    var east: Double
    var north: Double

    /// The square of the distance to another offset, in square metres.
    func squaredDistance(to other: LocalOffset) -> Double {
        let (across, along) = (east - other.east, north - other.north)
        return across * across + along * along
    }
}
