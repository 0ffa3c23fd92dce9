import Glibc

/// The length of a degree around a latitude, and the largest factor by which it may be longer elsewhere, for
/// calculations in degrees with a bound in metres.
///
/// With the scale of this latitude, a small step in degrees has a length; the true length of the step elsewhere is at
/// most ``stretch(at:)`` times that. The factor is bounded from above. Along the parallel, cos(f + d) ≤ cos f · (1 -
/// tan f · d), as the cosine is concave between the poles. The radii of curvature of the WGS-84 ellipsoid change by
/// less than 1.03 % per radian; for that of the meridian, M = a (1 - e²) / (1 - e² sin² f)^3/2, the rate is 3 e² sin f
/// cos f / (1 - e² sin² f).
struct LocalScale: Sendable, Hashable, BitwiseCopyable {
    /// The latitude, in degrees.
    private let latitude: Double
    /// Metres per degree of latitude.
    let north: Double
    /// Metres per degree of longitude.
    let east: Double
    /// The largest stretch of the parallel for each degree further north; negative north of the equator.
    private let stretchPerDegree: Double
    /// The factor here, for steps as long as the bound.
    private let stretchHere: Double

    /// The relative change of a radius of curvature over a degree.
    private static let curvatureChange = 0.0103 * (.pi / 180)

    /// Creates the scale around a latitude in degrees.
    ///
    /// - Parameters:
    ///   - latitude: the latitude, in degrees.
    ///   - bound: the maximum length of the steps, in metres.
    init(at latitude: Double, bound: Double) {
        let (sine, cosine) = (sin(latitude.inRadians), cos(latitude.inRadians))
        let (meridian, axisDistance) = Ellipsoid.metresPerRadian(sine: sine, cosine: cosine)
        self.latitude = latitude
        north = meridian.inRadians
        east = axisDistance.inRadians
        stretchPerDegree = (-sine / cosine).inRadians
        // The shortest degree of latitude, at the equator, is 110 574 m.
        stretchHere = 1 + (abs(stretchPerDegree) + Self.curvatureChange) * bound / 110_574
    }

    /// Returns the latitude whose scale applies near a latitude: one of a grid, so that nearby fixes share it and
    /// results for a fix do not depend on earlier fixes. Half a step, 217 m, stretches a parallel by less than 0.02 %;
    /// beyond 80°, where it would be more, there is no grid.
    static func latitude(near latitude: Double) -> Double {
        abs(latitude) < 80 ? (latitude * 256).rounded() / 256 : latitude
    }

    /// Whether this is the scale that applies near a latitude.
    func suits(_ latitude: Double) -> Bool { Self.latitude(near: latitude) == self.latitude }

    /// Returns the largest factor by which degrees may be longer at a latitude, and within the bound of it; NaN for
    /// NaN.
    func stretch(at latitude: Double) -> Double {
        let north = latitude - self.latitude
        return stretchHere + max(0, stretchPerDegree * north) + Self.curvatureChange * abs(north)
    }
}
