#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The velocities with which a thing may have left a place so that, at the time of each fix since, it was within a
/// bound of that fix.
///
/// Each fix allows a disc of velocities: its own, and around it what the bound amounts to over the time since the
/// start. What all fixes allow is the discs' intersection, kept here in constant size and from the inside: each disc is
/// replaced by the regular polygon of 64 sides within it. As the sides of all these polygons look the same 32 ways, so do
/// those of their intersection, which is therefore 32 intervals (Lin et al., "One-Pass Trajectory Simplification Using
/// the Synchronous Euclidean Distance", arXiv 1801.05360, do the same with polygons of fewer sides). A polygon's sides are
/// 0.12 % nearer to its centre than its corners: that much of the bound is given away at the most.
///
/// ## On the ellipsoid
///
/// Velocities are in degrees of latitude and longitude per second, each stretched to metres by the scale at the start,
/// so straight and even motion here is exactly what is linear in latitude, longitude and time. The scale differs at the
/// fix, so the disc shrinks by the largest ratio of the two anywhere within the bound of the fix. The ratio is bounded
/// from above: along the parallel, cos(f + d) ≤ cos f · (1 - tan f · d), as the cosine is concave between the poles; for
/// the radii of curvature, of which that of the meridian changes most, 1.03 % per radian. Where the bound grows beyond
/// 1.5, far away or within metres of a pole, the cone is empty.
///
/// Arithmetic is in single precision, whose error (2⁻²⁴ of a velocity for each of a few operations) is taken off the
/// disc as well: 1 mm for fixes 2.5 km from the start.
struct VelocityCone: Sendable, Hashable, BitwiseCopyable {
    private typealias Directions = SIMD32<Float>

    /// The unit vectors of half a turn, by sixty-fourths of a turn; the other half looks the opposite way.
    private static let east = Directions { Float(cos(Double($0) * .pi / 32)) }
    private static let north = Directions { Float(sin(Double($0) * .pi / 32)) }
    /// The sides' share of the radius, less what conversion to single precision may add.
    private static let apothem = cos(.pi / 64) * (1 - 1e-6)

    /// How far the cone reaches, in degrees of latitude and of longitude.
    private static let reach = (north: 5.0, east: 90.0)

    private let origin: Coordinate
    private let time: Timestamp
    /// Metres to a degree at the start.
    private let scale: (north: Double, east: Double)
    /// By how much a degree further north stretches the parallel, at the most; negative north of the equator.
    private let stretchPerDegree: Double
    /// What that, and the change of the radii of curvature, amount to within the bound.
    private let stretchAtOrigin: Double
    private let bound: Double
    private var low = Directions(repeating: -.greatestFiniteMagnitude)
    private var high = Directions(repeating: .greatestFiniteMagnitude)
    private var climb: ClimbRange?
    /// Whether no velocity is left, so that no later fix can be reached.
    private(set) var isEmpty = false

    /// All velocities from a fix.
    init(from start: Fix, bounds: DeviationBounds) {
        origin = start.coordinate
        time = start.time
        bound = bounds.horizontal
        climb = bounds.vertical.map { ClimbRange(from: start.altitude, bound: $0) }
        let latitude = origin.latitude.inRadians
        let (sine, cosine) = (sin(latitude), cos(latitude))
        let flattened = 1 - Ellipsoid.eccentricitySquared * sine * sine
        let primeVertical = Ellipsoid.semiMajorAxis / flattened.squareRoot()
        let degree = 1.0.inRadians
        scale = (
            north: primeVertical * (1 - Ellipsoid.eccentricitySquared) / flattened * degree,
            east: primeVertical * cosine * degree
        )
        stretchPerDegree = -sine / cosine * degree
        // The shortest degree of latitude, at the equator, is 110 574 m.
        stretchAtOrigin = 1 + (abs(stretchPerDegree) + Self.curvatureChange) * bound / 110_574
    }

    /// The change of a radius of curvature over a degree, as a share of it: 3/2 e² with the square's slack.
    private static let curvatureChange = 0.0103 * (.pi / 180)

    /// Whether the straight and even way to a later fix leads past all fixes before it within the bounds; from now on
    /// the ways must lead past this one, too.
    mutating func admit(_ fix: Fix) -> Bool {
        let north = fix.coordinate.latitude - origin.latitude
        let east = Self.shortWay(fix.coordinate.longitude - origin.longitude)
        let stretch = stretchAtOrigin + max(0, stretchPerDegree * north) + Self.curvatureChange * abs(north)
        // Written so that what is no number fails.
        guard stretch <= 1.5, abs(north) <= Self.reach.north, abs(east) <= Self.reach.east else {
            isEmpty = true
            return false
        }
        let rate = 1 / (Double(fix.time.nanosecondsSince1970.saturatingSubtract(time.nanosecondsSince1970)) * 1e-9)
        let allowed = climb?.allows(fix.altitude, rate: rate) ?? true
        climb?.narrow(to: fix.altitude, rate: rate)
        // 2 - s ≤ 1 / s
        let radius = bound * (2 - stretch) * Self.apothem * rate
        let passed = narrow(
            east: Float(east * scale.east * rate), north: Float(north * scale.north * rate), radius: Float(radius))
        if climb?.isEmpty ?? false { isEmpty = true }
        return allowed && passed
    }

    /// Whether a velocity is within the cone; narrows the cone to the polygon around it.
    private mutating func narrow(east: Float, north: Float, radius: Float) -> Bool {
        let centre = Self.east * east + Self.north * north
        let doubt = 4e-7 * (abs(east) + abs(north))
        let isOutside = (centre - doubt .< low) .| (centre + doubt .> high)
        let (least, most) = (centre - (radius - doubt), centre + (radius - doubt))
        low.replace(with: least, where: least .> low)
        high.replace(with: most, where: most .< high)
        isEmpty = isEmpty || any(low .> high)
        return !any(isOutside)
    }

    /// A difference of longitudes on its shorter way around, in degrees.
    private static func shortWay(_ difference: Double) -> Double {
        if difference > 180 { return difference - 360 }
        return difference < -180 ? difference + 360 : difference
    }
}

extension VelocityCone {
    static func == (left: VelocityCone, right: VelocityCone) -> Bool {
        left.origin == right.origin && left.time == right.time && left.bound == right.bound
            && left.low == right.low && left.high == right.high && left.climb == right.climb
            && left.isEmpty == right.isEmpty
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        hasher.combine(time)
        hasher.combine(isEmpty)
    }
}

extension SIMD32 {
    fileprivate init(_ element: (Int) -> Scalar) {
        self.init()
        for index in indices { self[index] = element(index) }
    }
}
