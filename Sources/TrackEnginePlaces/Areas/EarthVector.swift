import Glibc
import TrackEngine

/// A point in Earth-centred, Earth-fixed coordinates, in metres.
///
/// Areas are computed in space and not in degrees: there the antimeridian and the poles are ordinary points. Once a
/// position has been converted, which takes four trigonometric functions, all other operations are multiplications.
struct EarthVector: Sendable, Hashable, BitwiseCopyable {
    var x: Double
    var y: Double
    var z: Double

    init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The point of the WGS-84 ellipsoid at a position.
    init(_ coordinate: Coordinate) {
        let (latitude, longitude) = (coordinate.latitude.inRadians, coordinate.longitude.inRadians)
        let (sine, cosine) = (sin(latitude), cos(latitude))
        let primeVertical = Ellipsoid.semiMajorAxis / (1 - Ellipsoid.eccentricitySquared * sine * sine).squareRoot()
        x = primeVertical * cosine * cos(longitude)
        y = primeVertical * cosine * sin(longitude)
        z = primeVertical * (1 - Ellipsoid.eccentricitySquared) * sine
    }

    /// The position of a point on the ellipsoid.
    var coordinate: Coordinate {
        let fromAxis = (x * x + y * y).squareRoot()
        let latitude = atan2(z, (1 - Ellipsoid.eccentricitySquared) * fromAxis)
        return Coordinate(latitude: latitude * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
    }

    /// The point of the ellipsoid on the ray from the Earth's centre through this point.
    var onSurface: EarthVector {
        let polar = Ellipsoid.semiMajorAxis * (1 - Ellipsoid.flattening)
        let equatorial = (x * x + y * y) / (Ellipsoid.semiMajorAxis * Ellipsoid.semiMajorAxis)
        let factor = (equatorial + z * z / (polar * polar)).squareRoot()
        return factor > 0 ? self * (1 / factor) : EarthVector(x: Ellipsoid.semiMajorAxis, y: 0, z: 0)
    }

    /// The square of the length of the straight line to another point.
    func squaredChord(to other: EarthVector) -> Double { (other - self).squaredLength }

    /// The distance over ground to another point of the ellipsoid, in metres.
    func distance(to other: EarthVector) -> Double { Self.arc(squaredChord: squaredChord(to: other)) }

    /// The way over ground that corresponds to a straight line through the Earth, in metres.
    ///
    /// `d = 2R·asin(c / 2R)` with the mean radius R. The chord is exact on the ellipsoid; only the correction
    /// depends on R, which differs from the true radius of curvature by at most 0.6 %: an error of 1 m over 100 km,
    /// and of 1 km over 1000 km.
    static func arc(squaredChord: Double) -> Double {
        2 * Ellipsoid.meanRadius * asin(min(1, squaredChord.squareRoot() / (2 * Ellipsoid.meanRadius)))
    }

    /// The straight line that corresponds to a way over ground, in metres; the inverse of ``arc(squaredChord:)``.
    static func chord(arc: Double) -> Double {
        2 * Ellipsoid.meanRadius * sin(min(arc, .pi * Ellipsoid.meanRadius) / (2 * Ellipsoid.meanRadius))
    }
}

extension EarthVector {
    static func + (left: EarthVector, right: EarthVector) -> EarthVector {
        EarthVector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    static func - (left: EarthVector, right: EarthVector) -> EarthVector {
        EarthVector(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    static func * (left: EarthVector, factor: Double) -> EarthVector {
        EarthVector(x: left.x * factor, y: left.y * factor, z: left.z * factor)
    }

    func dot(_ other: EarthVector) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: EarthVector) -> EarthVector {
        EarthVector(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }

    var squaredLength: Double { dot(self) }
}

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
        let fromAxis = (point.x * point.x + point.y * point.y).squareRoot()
        // At a pole, the direction is arbitrary.
        east =
            fromAxis > 0
            ? EarthVector(x: -point.y / fromAxis, y: point.x / fromAxis, z: 0) : EarthVector(x: 0, y: 1, z: 0)
        north = up.cross(east)
    }

    /// The position of another point on the map, in metres to the east and to the north.
    func place(of point: EarthVector) -> PlanePoint {
        let scale = radius / max(point.dot(up), 1)
        return PlanePoint(x: point.dot(east) * scale, y: point.dot(north) * scale)
    }

    /// The direction of another point, for any point of the Earth; only the signs and the ratio are meaningful.
    func direction(of point: EarthVector) -> PlanePoint { PlanePoint(x: point.dot(east), y: point.dot(north)) }

    /// The point of the ellipsoid at a position on the map.
    func point(at place: PlanePoint) -> EarthVector { (up * radius + east * place.x + north * place.y).onSurface }
}

/// A position on the map of a ``TangentPlane``.
struct PlanePoint: BitwiseCopyable {
    var x: Double
    var y: Double

    func dot(_ other: PlanePoint) -> Double { x * other.x + y * other.y }

    func cross(_ other: PlanePoint) -> Double { x * other.y - y * other.x }
}
