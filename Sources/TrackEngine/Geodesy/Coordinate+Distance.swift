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
        EarthVector(self).squaredChord(to: EarthVector(other)).squareRoot()
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

    /// Returns the position on the line to another one, at a share of it from 0 to 1; by the shorter way over the
    /// antimeridian.
    package func between(_ other: Coordinate, _ share: Double) -> Coordinate {
        let east = (other.longitude - longitude).onShorterWay
        return Coordinate(
            latitude: latitude + share * (other.latitude - latitude), longitude: (longitude + share * east).onShorterWay
        )
    }
}
