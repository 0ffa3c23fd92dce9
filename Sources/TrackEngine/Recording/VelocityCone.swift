/// The velocities with which an object may have left a place so that, at the time of each fix since, it was within a
/// bound of that fix.
///
/// Each fix allows a disc of velocities: its own, and around it what the bound amounts to over the time since the
/// start. What all fixes allow is the discs' intersection, kept here in constant size and from the inside: each disc is
/// replaced by the regular polygon of 64 sides within it. As the sides of all these polygons look the same ways, so do
/// those of their intersection, which is therefore 32 intervals (Lin et al., "One-Pass Trajectory Simplification Using
/// the Synchronous Euclidean Distance", arXiv 1801.05360, do the same with polygons of fewer sides). A polygon's sides are
/// 0.12 % nearer to its centre than its corners: that much of the bound is given away at the most.
///
/// Velocities are in degrees per second, made metres by a ``LocalScale``, so straight and even motion here is exactly
/// what is linear in latitude, longitude and time. The disc shrinks by the scale's stretch at the fix; where that grows
/// beyond 1.5, far away or within metres of a pole, the cone is empty.
///
/// Arithmetic is in single precision, whose error (2⁻²⁴ of a velocity for each of a few operations) is taken off the
/// disc as well: about 1 mm for fixes a kilometre from the start.
struct VelocityCone: Sendable, Hashable, BitwiseCopyable {
    /// How far the cone reaches, in degrees of latitude and of longitude.
    private static let reach = (north: 5.0, east: 90.0)

    private let origin: Coordinate
    private let time: Int64
    private let scale: LocalScale
    /// The discs' radius after one second, where nothing is stretched.
    private let radius: Double
    /// The intersection.
    private var polygon = SlabPolygon()
    private var climb: ClimbRange?
    /// Whether no velocity is left, so that no later fix can be reached.
    private(set) var isEmpty = false

    /// All velocities from a place; the scale is that of its neighbourhood.
    init(from start: TrackPoint, bounds: DeviationBounds, scale: LocalScale) {
        origin = start.coordinate
        time = start.time.nanosecondsSince1970
        self.scale = scale
        radius = bounds.horizontal * SlabPolygon.apothem
        climb = bounds.vertical.map { ClimbRange(from: start.altitude, bound: $0) }
    }

    /// Whether the straight and even way to a later fix leads past all fixes before it within the bounds; from now on
    /// the ways must lead past this one, too.
    @inline(__always)
    mutating func admit(_ fix: TrackPoint) -> Bool {
        let north = fix.coordinate.latitude - origin.latitude
        let east = Self.shortWay(fix.coordinate.longitude - origin.longitude)
        let stretch = scale.stretch(at: fix.coordinate.latitude)
        // Written so that what is no number fails.
        guard stretch <= 1.5, abs(north) <= Self.reach.north, abs(east) <= Self.reach.east else {
            isEmpty = true
            return false
        }
        let rate = 1e9 / Double(fix.time.nanosecondsSince1970.saturatingSubtract(time))
        // 2 - s ≤ 1 / s
        let isInside = narrow(
            east: Float(east * scale.east * rate), north: Float(north * scale.north * rate),
            radius: Float(radius * (2 - stretch) * rate))
        guard climb != nil else { return isInside }
        return pass(altitude: fix.altitude, rate: rate) && isInside
    }

    /// Whether a velocity is within the cone; narrows the cone to the polygon around it.
    @inline(__always)
    private mutating func narrow(east: Float, north: Float, radius: Float) -> Bool {
        // 2⁻²⁴ for each of five operations, here and again where another velocity within the radius is compared.
        let doubt = 8e-7 * (abs(east) + abs(north) + radius)
        let isInside = polygon.narrow(east: east, north: north, apothem: radius - doubt)
        isEmpty = isEmpty || polygon.isEmpty
        return isInside
    }

    private mutating func pass(altitude: Double?, rate: Double) -> Bool {
        let isAllowed = climb?.allows(altitude, rate: rate) ?? true
        climb?.narrow(to: altitude, rate: rate)
        if climb?.isEmpty ?? false { isEmpty = true }
        return isAllowed
    }

    /// A difference of longitudes on its shorter way around, in degrees.
    private static func shortWay(_ difference: Double) -> Double {
        if difference > 180 { return difference - 360 }
        return difference < -180 ? difference + 360 : difference
    }
}
