import TrackEngine

/// The plane that touches the Earth at a point; it maps other points around that point.
///
/// The map is gnomonic: each great circle is a straight line on it, and directions from the point are true. Points
/// on the other half of the Earth are not on the map.
struct TangentPlane: BitwiseCopyable {
    private let up: EarthVector
    private let east: EarthVector
    private let north: EarthVector
    private let radius: Double

    init(at point: EarthVector) {
        radius = point.squaredLength.squareRoot()
        up = point * (1 / radius)
        let fromAxis = point.distanceFromAxis
        // At a pole, the direction is arbitrary.
        east =
            fromAxis > 0
            ? EarthVector(x: -point.y / fromAxis, y: point.x / fromAxis, z: 0) : EarthVector(x: 0, y: 1, z: 0)
        north = up.cross(east)
    }

    /// The position of another point on the map, in metres to the east and to the north.
    func place(of point: EarthVector) -> LocalPosition {
        let scale = radius / max(point.dot(up), 1)
        return LocalPosition(east: point.dot(east) * scale, north: point.dot(north) * scale)
    }

    /// The direction of another point, for any point of the Earth; only the signs and the ratio are meaningful.
    func direction(of point: EarthVector) -> LocalPosition {
        LocalPosition(east: point.dot(east), north: point.dot(north))
    }

    /// The point of the ellipsoid at a position on the map.
    func point(at place: LocalPosition) -> EarthVector {
        (up * radius + east * place.east + north * place.north).onSurface
    }
}
