internal import TrackEngine

/// The ground about a place, in metres east and north of it: good to 0.1 % within 10 km, and across the antimeridian.
///
/// Within 10 m of a pole directions mean little; distances there come out too short and never too long.
struct PlaceFrame: Sendable, Hashable, BitwiseCopyable {
    let origin: Coordinate
    /// Metres to a degree of latitude.
    private let north: Double
    /// Metres to a degree of longitude.
    private let east: Double

    /// The frame about a valid coordinate.
    init(at origin: Coordinate) {
        self.origin = origin
        // A hundredth of a degree along both axes, as long as it is here; the meridian's inwards, away from the poles.
        let step = origin.latitude > 0 ? -0.01 : 0.01
        let beside = Coordinate(latitude: origin.latitude, longitude: 0.01)
        let base = Coordinate(latitude: origin.latitude, longitude: 0)
        north = base.distance(to: Coordinate(latitude: origin.latitude + step, longitude: 0)) * 100
        east = base.distance(to: beside) * 100
    }

    /// Metres east and north of the origin.
    func offset(of coordinate: Coordinate) -> GroundOffset {
        var turn = coordinate.longitude - origin.longitude
        // The remainder takes a tenth of a fix's time, and changes nothing but at the antimeridian.
        if abs(turn) > 180 { turn.formRemainder(dividingBy: 360) }
        return GroundOffset(east: turn * east, north: (coordinate.latitude - origin.latitude) * north)
    }

    /// The coordinate of an offset.
    func coordinate(of offset: GroundOffset) -> Coordinate {
        let turn = east > 0 ? offset.east / east : 0
        return Coordinate(
            latitude: min(max(origin.latitude + offset.north / north, -90), 90),
            longitude: (origin.longitude + turn).remainder(dividingBy: 360))
    }
}

/// Metres east and north of somewhere.
struct GroundOffset: Sendable, Hashable, BitwiseCopyable {
    var east: Double
    var north: Double

    /// The square of the distance to another offset, in square metres.
    func squaredDistance(to other: GroundOffset) -> Double {
        let (across, along) = (east - other.east, north - other.north)
        return across * across + along * along
    }
}
