import Glibc

/// A position for repeated distance checks, at a fraction of the cost of computing each distance.
///
/// It decides "farther than n metres?" exactly as ``Coordinate/distance(to:)`` does: by plane arithmetic if the answer
/// is clear, and by that function if the distance is so near to the limit that the plane might be wrong.
///
/// ## Why the results are the same
///
/// Let `p` be the distance of the anchor from the Earth's axis and `M` the radius of its meridian. For a position `Δφ`
/// north and `Δλ` east (radians) the distance in the plane is `D² = (M·Δφ)² + (p·Δλ)²`. The chord that the function
/// begins with is
/// `c² = m² + p·p'·(2·sin(Δλ/2))²`, with the meridian's chord `m` and the other position's distance `p'` from the axis.
///
/// - `m` differs from `M·Δφ` because `M` grows poleward, by at most 1.02 % a radian, and because an arc is longer than
///   its chord, by at most 1/24 of the square of its angle.
/// - `p'` differs from `p` by at most the way along the meridian, so by at most `1.001·D`.
/// - the square of a chord of the angle `Δλ` is at most one twelfth of `Δλ²` shorter than that of the arc.
///
/// With `u = D/p` at most 0.01 the squares of `c` and `D` therefore differ by at most `1.04·u` of `D²`. The arc over
/// the chord adds at most 0.75 millionths below 19 km, and rounding at most 20 nm. A `tolerance` of `1.25·u` plus two
/// millionths, plus one square millimetre, covers it all; positions farther than `0.01·p` or 19 km are always measured.
/// Near a pole `p` is short, so every distance is computed there, and so is every distance across the antimeridian.
@frozen
public struct DistanceAnchor: Sendable, Hashable, BitwiseCopyable {
    /// The position of the anchor.
    public let coordinate: Coordinate
    /// The metres per degree of longitude at the anchor.
    @usableFromInline let metresPerLongitude: Double
    /// The metres per degree of latitude at the anchor.
    @usableFromInline let metresPerLatitude: Double
    /// The largest error of the plane, relative to a square, for each metre.
    @usableFromInline let tolerance: Double
    /// The square of the distance up to which the plane is used.
    @usableFromInline let reachSquared: Double

    /// Creates an anchor at a position; distances from an invalid one are those of ``Coordinate/distance(to:)``.
    public init(_ coordinate: Coordinate) {
        let latitude = coordinate.latitude.inRadians
        let (meridian, axisDistance) = Ellipsoid.metresPerRadian(sine: sin(latitude), cosine: cos(latitude))
        let reach = min(0.01 * max(axisDistance, 0), 19_000)
        self.coordinate = coordinate
        metresPerLongitude = axisDistance.inRadians
        metresPerLatitude = meridian.inRadians
        tolerance = 1.25 / axisDistance
        reachSquared = reach * reach
    }

    /// Whether `distance(to:)` of a position is greater than a number of metres.
    @inlinable
    public func isFarther(_ other: Coordinate, than metres: Double) -> Bool {
        let east = (other.longitude - coordinate.longitude) * metresPerLongitude
        let north = (other.latitude - coordinate.latitude) * metresPerLatitude
        let square = east * east + north * north
        let asked = metres * metres
        let doubt = 1.000_002 + tolerance * metres
        // NaN makes every comparison false, and the distance is computed.
        if square <= reachSquared && metres > 0 {
            if square * doubt + 1e-6 < asked { return false }
            if square > asked * doubt + 1e-6 { return true }
        }
        return Self.isMeasured(from: coordinate, to: other, fartherThan: metres)
    }

    /// Returns the answer at the full cost; a function of values, so that the fast path can keep an anchor in
    /// registers.
    @inline(never)
    @usableFromInline
    static func isMeasured(from anchor: Coordinate, to other: Coordinate, fartherThan metres: Double) -> Bool {
        anchor.distance(to: other) > metres
    }

    /// Whether `distance(to:)` of a position is at least a number of metres.
    @inlinable
    public func isAtLeast(_ other: Coordinate, _ metres: Double) -> Bool {
        // There is no number between the next smaller one and this one.
        isFarther(other, than: metres.nextDown)
    }
}
