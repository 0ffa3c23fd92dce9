/// The WGS-84 ellipsoid (NGA.STND.0036, table 3.1).
package enum Ellipsoid {
    package static let semiMajorAxis = 6_378_137.0
    package static let flattening = 1 / 298.257_223_563
    package static let eccentricitySquared = flattening * (2 - flattening)
    /// Mean radius (2a + b) / 3 of the IUGG, in metres.
    package static let meanRadius = 6_371_008.771_4

    /// Returns the radius of curvature across the meridian at a latitude, given by its sine, in metres.
    static func primeVertical(sine: Double) -> Double {
        semiMajorAxis / (1 - eccentricitySquared * sine * sine).squareRoot()
    }

    /// Returns the metres per radian at a latitude, given by sine and cosine, to the north and to the east.
    static func metresPerRadian(sine: Double, cosine: Double) -> (north: Double, east: Double) {
        let primeVertical = primeVertical(sine: sine)
        let meridian = primeVertical * (1 - eccentricitySquared) / (1 - eccentricitySquared * sine * sine)
        return (meridian, primeVertical * cosine)
    }
}

extension Double {
    /// Degrees as radians.
    package var inRadians: Double { self * (.pi / 180) }

    /// The same angle in degrees within -180 to 180, for an angle within -540 to 540.
    package var onShorterWay: Double {
        if self > 180 { return self - 360 }
        return self < -180 ? self + 360 : self
    }
}
