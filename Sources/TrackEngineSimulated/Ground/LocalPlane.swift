package import TrackEngine

/// The plane that touches the ellipsoid at one point, on which a vehicle drives in metres.
///
/// A position on the plane is projected to the ellipsoid along the ellipsoid's normal. Within 10 km of the origin that
/// changes lengths by less than 3 in a million. The conversion uses earth-centred coordinates, so there are no special
/// positions on Earth: the plane may cross the antimeridian or contain a pole.
package struct LocalPlane: Sendable {
    private let origin: EarthVector
    private let eastward: EarthVector
    private let northward: EarthVector

    /// Creates the plane at a valid coordinate.
    package init(at coordinate: Coordinate) {
        let (sinLatitude, cosLatitude) = Angle.sineAndCosine(ofDegrees: coordinate.latitude)
        let (sinLongitude, cosLongitude) = Angle.sineAndCosine(ofDegrees: coordinate.longitude)
        origin = EarthVector(on: coordinate)
        eastward = EarthVector(x: -sinLongitude, y: cosLongitude, z: 0)
        northward = EarthVector(x: -sinLatitude * cosLongitude, y: -sinLatitude * sinLongitude, z: cosLatitude)
    }

    /// The coordinate of a position on the plane.
    package func coordinate(of place: LocalPosition) -> Coordinate {
        let vector = vector(to: place)
        let normal = surfaceNormal(below: vector)
        return Coordinate(
            latitude: Angle.arctangent(y: normal.sine, x: normal.cosine),
            longitude: Angle.arctangent(y: vector.y, x: vector.x))
    }

    /// The position on the plane of a valid coordinate near its origin.
    package func place(of coordinate: Coordinate) -> LocalPosition {
        let way = EarthVector(on: coordinate) + -1 * origin
        return LocalPosition(east: way.dot(eastward), north: way.dot(northward))
    }

    /// The course over ground, in degrees from true north, for a heading on the plane.
    ///
    /// They differ by the convergence of the meridians: zero at the origin, large at a pole.
    ///
    /// - Parameter heading: degrees clockwise from the plane's north.
    package func course(heading: Double, at place: LocalPosition) -> Double {
        let (sine, cosine) = Angle.sineAndCosine(ofDegrees: heading)
        let direction = sine * eastward + cosine * northward
        let vector = vector(to: place)
        let normal = surfaceNormal(below: vector)
        let radius = vector.distanceFromAxis
        let (sinLongitude, cosLongitude) = radius > 0 ? (vector.y / radius, vector.x / radius) : (0, 1)
        let east = EarthVector(x: -sinLongitude, y: cosLongitude, z: 0)
        let north = EarthVector(x: -normal.sine * cosLongitude, y: -normal.sine * sinLongitude, z: normal.cosine)
        return Angle.inFullCircle(Angle.arctangent(y: direction.dot(east), x: direction.dot(north)))
    }

    private func vector(to place: LocalPosition) -> EarthVector {
        origin + place.east * eastward + place.north * northward
    }

    /// The sine and cosine of the geodetic latitude below a point, by Bowring's formula (B. R. Bowring,
    /// "Transformation from spatial to geographical coordinates", Survey Review 23, 1976). One step has an error below
    /// a micrometre near the surface.
    private func surfaceNormal(below point: EarthVector) -> (sine: Double, cosine: Double) {
        let semiMinorAxis = Ellipsoid.semiMajorAxis * (1 - Ellipsoid.flattening)
        let radius = point.distanceFromAxis
        let (sinReduced, cosReduced) = normalised(
            point.z * Ellipsoid.semiMajorAxis, radius * semiMinorAxis)
        let secondEccentricitySquared = Ellipsoid.eccentricitySquared / (1 - Ellipsoid.eccentricitySquared)
        return normalised(
            point.z + secondEccentricitySquared * semiMinorAxis * sinReduced * sinReduced * sinReduced,
            radius - Ellipsoid.eccentricitySquared * Ellipsoid.semiMajorAxis * cosReduced * cosReduced * cosReduced)
    }

    private func normalised(_ sine: Double, _ cosine: Double) -> (sine: Double, cosine: Double) {
        let length = (sine * sine + cosine * cosine).squareRoot()
        return (sine / length, cosine / length)
    }
}

/// Earth-centred, Earth-fixed coordinates in metres, or a direction in that frame.
private struct EarthVector: Sendable {
    let x: Double
    let y: Double
    let z: Double

    init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The point of the ellipsoid at a coordinate.
    init(on coordinate: Coordinate) {
        let (sinLatitude, cosLatitude) = Angle.sineAndCosine(ofDegrees: coordinate.latitude)
        let (sinLongitude, cosLongitude) = Angle.sineAndCosine(ofDegrees: coordinate.longitude)
        let primeVertical =
            Ellipsoid.semiMajorAxis
            / (1 - Ellipsoid.eccentricitySquared * sinLatitude * sinLatitude).squareRoot()
        x = primeVertical * cosLatitude * cosLongitude
        y = primeVertical * cosLatitude * sinLongitude
        z = primeVertical * (1 - Ellipsoid.eccentricitySquared) * sinLatitude
    }

    var distanceFromAxis: Double { (x * x + y * y).squareRoot() }

    func dot(_ other: EarthVector) -> Double { x * other.x + y * other.y + z * other.z }

    static func + (left: EarthVector, right: EarthVector) -> EarthVector {
        EarthVector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    static func * (factor: Double, vector: EarthVector) -> EarthVector {
        EarthVector(x: factor * vector.x, y: factor * vector.y, z: factor * vector.z)
    }
}

/// A position on a ``LocalPlane``, in metres from its origin.
package struct LocalPosition: Sendable, Hashable, BitwiseCopyable {
    /// Metres along the direction that is east at the origin.
    package var east: Double
    /// Metres along the direction that is north at the origin.
    package var north: Double

    package init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }

    package static let origin = LocalPosition(east: 0, north: 0)

    /// The distance from the origin, in metres.
    package var distanceFromOrigin: Double { (east * east + north * north).squareRoot() }

    /// The position moved by an offset.
    package static func + (place: LocalPosition, offset: LocalPosition) -> LocalPosition {
        LocalPosition(east: place.east + offset.east, north: place.north + offset.north)
    }

    /// The offset multiplied by a factor.
    package static func * (factor: Double, offset: LocalPosition) -> LocalPosition {
        LocalPosition(east: factor * offset.east, north: factor * offset.north)
    }
}

/// Hilly ground under a ``LocalPlane``: smooth, the same for all vehicles, and without further meaning.
package enum Terrain {
    /// The height of the ground above mean sea level, in metres: 22 to 58, with grades of at most 3 %.
    package static func height(at place: LocalPosition) -> Double {
        let eastWave = Angle.sineAndCosine(ofDegrees: place.east * (360.0 / 4_700)).sine
        let northWave = Angle.sineAndCosine(ofDegrees: place.north * (360.0 / 6_100)).sine
        return 40 + 10 * eastWave + 8 * northWave
    }
}
