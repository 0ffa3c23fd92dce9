import Glibc

extension Coordinate {
    /// Returns the distance over ground to another position, in metres.
    ///
    /// Within 0.01 % + 1 mm of the WGS-84 geodesic up to 10 km and within 0.5 % beyond, also across the antimeridian,
    /// at the poles and between antipodes. Heights are ignored. Invalid coordinates give NaN or meaningless values.
    ///
    /// For short distances, the chord through the ellipsoid is converted to an arc of the mean radius, which has no
    /// singularity anywhere on Earth: `d = 2R·asin(c / 2R)`, for 10 km only 1 mm longer than the chord `c` itself. For
    /// long distances, it is Lambert's formula for long lines (W. D. Lambert, "The distance between two widely
    /// separated points on the surface of the earth", 1942), and within 5° of the antipode, where that formula fails,
    /// the great circle.
    public func distance(to other: Coordinate) -> Double {
        let chord = chord(to: other)
        if chord < 20_000 { return 2 * Ellipsoid.meanRadius * asin(chord / (2 * Ellipsoid.meanRadius)) }
        return longDistance(to: other)
    }

    /// The straight line between both positions on the ellipsoid's surface, in metres.
    private func chord(to other: Coordinate) -> Double {
        let (x1, y1, z1) = earthCentred
        let (x2, y2, z2) = other.earthCentred
        let (dx, dy, dz) = (x2 - x1, y2 - y1, z2 - z1)
        return (dx * dx + dy * dy + dz * dz).squareRoot()
    }

    /// Earth-centred, Earth-fixed coordinates at height zero, in metres.
    private var earthCentred: (x: Double, y: Double, z: Double) {
        let (sinLatitude, cosLatitude) = (sin(latitude.inRadians), cos(latitude.inRadians))
        let primeVertical =
            Ellipsoid.semiMajorAxis
            / (1 - Ellipsoid.eccentricitySquared * sinLatitude * sinLatitude).squareRoot()
        return (
            primeVertical * cosLatitude * cos(longitude.inRadians),
            primeVertical * cosLatitude * sin(longitude.inRadians),
            primeVertical * (1 - Ellipsoid.eccentricitySquared) * sinLatitude
        )
    }

    private func longDistance(to other: Coordinate) -> Double {
        let reduced1 = atan((1 - Ellipsoid.flattening) * tan(latitude.inRadians))
        let reduced2 = atan((1 - Ellipsoid.flattening) * tan(other.latitude.inRadians))
        let halfLatitude = (reduced2 - reduced1) / 2
        let halfLongitude = (other.longitude - longitude).inRadians / 2
        let haversine =
            sin(halfLatitude) * sin(halfLatitude)
            + cos(reduced1) * cos(reduced2) * sin(halfLongitude) * sin(halfLongitude)
        let angle = 2 * asin(min(1, haversine.squareRoot()))
        if angle > 175.0.inRadians { return Ellipsoid.meanRadius * angle }
        let (sinMean, cosMean) = (sin((reduced1 + reduced2) / 2), cos((reduced1 + reduced2) / 2))
        let (sinHalf, cosHalf) = (sin(angle / 2), cos(angle / 2))
        let (sinDifference, cosDifference) = (sin(halfLatitude), cos(halfLatitude))
        let x =
            (angle - sin(angle)) * sinMean * sinMean * cosDifference * cosDifference / (cosHalf * cosHalf)
        let y =
            (angle + sin(angle)) * cosMean * cosMean * sinDifference * sinDifference / (sinHalf * sinHalf)
        return Ellipsoid.semiMajorAxis * (angle - Ellipsoid.flattening / 2 * (x + y))
    }
}

/// The WGS-84 ellipsoid (NGA.STND.0036, table 3.1).
package enum Ellipsoid {
    package static let semiMajorAxis = 6_378_137.0
    package static let flattening = 1 / 298.257_223_563
    package static let eccentricitySquared = flattening * (2 - flattening)
    /// Mean radius (2a + b) / 3 of the IUGG, in metres.
    package static let meanRadius = 6_371_008.771_4
}

extension Double {
    /// Degrees as radians.
    package var inRadians: Double { self * (.pi / 180) }
}
