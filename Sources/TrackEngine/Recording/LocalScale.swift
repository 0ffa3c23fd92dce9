#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How long degrees are about a latitude, and by how much longer they may be elsewhere: what it takes to reckon in
/// degrees with a bound in metres.
///
/// With the scale of this latitude, a small step in degrees has a length; the true length where it is taken is at most
/// ``stretch(at:)`` times that. The factor is bounded from above. Along the parallel, cos(f + d) ≤ cos f · (1 - tan f · d),
/// as the cosine is concave between the poles. The radii of curvature of the WGS-84 ellipsoid change by less than
/// 1.03 % per radian; that of the meridian, M = a (1 - e²) / (1 - e² sin² f)^3/2, has 3 e² sin f cos f / (1 - e² sin² f).
struct LocalScale: Sendable, Hashable, BitwiseCopyable {
    /// The latitude, in degrees.
    private let latitude: Double
    /// Metres to a degree of latitude.
    let north: Double
    /// Metres to a degree of longitude.
    let east: Double
    /// By how much a degree further north stretches the parallel, at the most; negative north of the equator.
    private let stretchPerDegree: Double
    /// The factor here, for steps as long as the bound.
    private let stretchHere: Double

    /// The change of a radius of curvature over a degree, as a share of it.
    private static let curvatureChange = 0.0103 * (.pi / 180)

    /// The scale about a latitude in degrees.
    ///
    /// - Parameter bound: how long the steps are at the most, in metres.
    init(at latitude: Double, bound: Double) {
        let (sine, cosine) = (sin(latitude.inRadians), cos(latitude.inRadians))
        let flattened = 1 - Ellipsoid.eccentricitySquared * sine * sine
        let primeVertical = Ellipsoid.semiMajorAxis / flattened.squareRoot()
        let degree = 1.0.inRadians
        self.latitude = latitude
        north = primeVertical * (1 - Ellipsoid.eccentricitySquared) / flattened * degree
        east = primeVertical * cosine * degree
        stretchPerDegree = -sine / cosine * degree
        // The shortest degree of latitude, at the equator, is 110 574 m.
        stretchHere = 1 + (abs(stretchPerDegree) + Self.curvatureChange) * bound / 110_574
    }

    /// The latitude whose scale is to be used near a latitude: one of a grid, so that fixes of one neighbourhood share it
    /// and what follows from a fix does not depend on the fixes before it. Half a step, 217 m, stretches a parallel by
    /// less than 0.02 %; beyond 80°, where it would be more, there is no grid.
    static func latitude(near latitude: Double) -> Double {
        abs(latitude) < 80 ? (latitude * 256).rounded() / 256 : latitude
    }

    /// Whether this is the scale to be used near a latitude.
    func suits(_ latitude: Double) -> Bool { Self.latitude(near: latitude) == self.latitude }

    /// By which factor degrees may be longer at a latitude, and within the bound of it; no number for no number.
    func stretch(at latitude: Double) -> Double {
        let north = latitude - self.latitude
        return stretchHere + max(0, stretchPerDegree * north) + Self.curvatureChange * abs(north)
    }
}
