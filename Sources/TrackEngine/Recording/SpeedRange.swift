/// The velocities that keep an object within a bound of every fix, at the fix's time, since it left a position.
///
/// Each fix allows a disc of velocities: around the velocity to the fix, with the bound divided by the time since the
/// start as its radius. The velocities that all fixes allow are the discs' intersection. It is stored in constant size
/// and approximated from the inside: each disc is replaced by the regular polygon of 64 sides within it. The sides of
/// all these polygons have the same directions, and so have those of their intersection, which is therefore 32
/// intervals (Lin et al., "One-Pass Trajectory Simplification Using the Synchronous Euclidean Distance", arXiv
/// 1801.05360, do the same with polygons of fewer sides). A polygon's sides are 0.12 % nearer to its centre than its
/// corners: at most that much of the bound is lost.
///
/// Velocities are in degrees per second, converted to metres by a ``LocalScale``, so straight and uniform motion here
/// is exactly linear in latitude, longitude and time. The disc shrinks by the scale's stretch at the fix; where the
/// stretch exceeds 1.5, far away or within metres of a pole, the cone is empty.
///
/// Arithmetic is in single precision, and its error (2⁻²⁴ of a velocity for each of a few operations) is subtracted
/// from the disc as well: about 1 mm for fixes a kilometre from the start.
struct SpeedRange: Sendable, Hashable, BitwiseCopyable {
    /// The reach of the cone, in degrees of latitude and of longitude.
    private static let reach = (north: 5.0, east: 90.0)

    private let origin: Coordinate
    private let time: Int64
    private let scale: LocalScale
    /// The discs' radius after one second, without any stretch.
    private let radius: Double
    /// The intersection.
    private var polygon = SlabPolygon()
    private var climb: ClimbRange?
    /// Whether no velocity is left, so that no later fix can be reached.
    private(set) var isEmpty = false

    /// Creates a cone of all velocities from a position; the scale is that of its surroundings.
    init(from start: TrackPoint, bounds: DeviationBounds, scale: LocalScale) {
        origin = start.coordinate
        time = start.time.nanosecondsSince1970
        self.scale = scale
        radius = bounds.horizontal * SlabPolygon.apothem
        climb = bounds.vertical.map { ClimbRange(from: start.altitude, bound: $0) }
    }

    /// Returns whether the straight and uniform line to a later fix passes all fixes before it within the bounds. From
    /// now on the lines must pass this fix, too.
    @inline(__always)
    mutating func admit(_ fix: TrackPoint) -> Bool {
        let north = fix.coordinate.latitude - origin.latitude
        let east = (fix.coordinate.longitude - origin.longitude).onShorterWay
        let stretch = scale.stretch(at: fix.coordinate.latitude)
        // Written so that NaN fails.
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

    /// Returns whether a velocity is within the cone; narrows the cone to the polygon around it.
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
}
