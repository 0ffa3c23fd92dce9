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
        let latitude = Angle.sineAndCosine(ofDegrees: coordinate.latitude)
        let longitude = Angle.sineAndCosine(ofDegrees: coordinate.longitude)
        origin = EarthVector(latitude: latitude, longitude: longitude)
        (eastward, northward) = Self.directions(latitude, longitude)
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
        let point = EarthVector(
            latitude: Angle.sineAndCosine(ofDegrees: coordinate.latitude),
            longitude: Angle.sineAndCosine(ofDegrees: coordinate.longitude))
        let way = point - origin
        return LocalPosition(east: way.dot(eastward), north: way.dot(northward))
    }

    /// The course over ground, in degrees from true north, for a heading on the plane.
    ///
    /// They differ by the convergence of the meridians: zero at the origin, large at a pole.
    ///
    /// - Parameter heading: degrees clockwise from the plane's north.
    package func course(heading: Double, at place: LocalPosition) -> Double {
        let (sine, cosine) = Angle.sineAndCosine(ofDegrees: heading)
        let direction = eastward * sine + northward * cosine
        let vector = vector(to: place)
        let normal = surfaceNormal(below: vector)
        let radius = vector.distanceFromAxis
        let longitude = radius > 0 ? (sine: vector.y / radius, cosine: vector.x / radius) : (sine: 0, cosine: 1)
        let (east, north) = Self.directions(normal, longitude)
        return Angle.inFullCircle(Angle.arctangent(y: direction.dot(east), x: direction.dot(north)))
    }

    private func vector(to place: LocalPosition) -> EarthVector {
        origin + eastward * place.east + northward * place.north
    }

    /// The directions to the east and to the north at a position.
    private static func directions(
        _ latitude: (sine: Double, cosine: Double), _ longitude: (sine: Double, cosine: Double)
    ) -> (east: EarthVector, north: EarthVector) {
        let east = EarthVector(x: -longitude.sine, y: longitude.cosine, z: 0)
        let north = EarthVector(
            x: -latitude.sine * longitude.cosine, y: -latitude.sine * longitude.sine, z: latitude.cosine)
        return (east, north)
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

/// Hilly ground under a ``LocalPlane``: smooth, the same for all vehicles, and without further meaning.
package enum Terrain {
    /// The height of the ground above mean sea level, in metres: 22 to 58, with grades of at most 3 %.
    package static func height(at place: LocalPosition) -> Double {
        let eastWave = Angle.sineAndCosine(ofDegrees: place.east * (360.0 / 4_700)).sine
        let northWave = Angle.sineAndCosine(ofDegrees: place.north * (360.0 / 6_100)).sine
        return 40 + 10 * eastWave + 8 * northWave
    }
}
