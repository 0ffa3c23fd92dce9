import Glibc

/// A convex polygon as the intersection of 32 slabs: strips of the plane between two parallel lines. The directions
/// across neighbouring slabs differ by a sixty-fourth of a turn.
///
/// The regular polygon of 64 sides is one, and the intersection of several of these is one again, so the intersection
/// of any number of them has a constant size. The slabs are stored in two halves of 16, each of which fills four SSE
/// registers.
struct SlabPolygon: Sendable, Hashable, BitwiseCopyable {
    private typealias Slabs = SIMD16<Float>

    /// The directions across the slabs from east to north, and from north to west, as unit vectors.
    private static let first = (east: slabs { cos($0) }, north: slabs { sin($0) })
    private static let second = (east: slabs { -sin($0) }, north: slabs { cos($0) })

    private static func slabs(_ component: (Double) -> Double) -> Slabs {
        var slabs = Slabs()
        for index in 0..<16 { slabs[index] = Float(component(Double(index) * Double.pi / 32)) }
        return slabs
    }

    /// The ratio of the apothem to the circumradius of a regular polygon of 64 sides.
    static let apothem = cos(Double.pi / 64)

    private var firstLow = Slabs(repeating: -.greatestFiniteMagnitude)
    private var firstHigh = Slabs(repeating: .greatestFiniteMagnitude)
    private var secondLow = Slabs(repeating: -.greatestFiniteMagnitude)
    private var secondHigh = Slabs(repeating: .greatestFiniteMagnitude)
    /// Whether a slab has no width left. The intersection may be empty earlier without being detected here.
    private(set) var isEmpty = false

    /// Returns whether a point is inside; then narrows each slab to a distance around the point.
    @inline(__always)
    mutating func narrow(east: Float, north: Float, apothem: Float) -> Bool {
        let first = Self.first.east * east + Self.first.north * north
        let second = Self.second.east * east + Self.second.north * north
        let isOutside =
            any((first .< firstLow) .| (first .> firstHigh) .| (second .< secondLow) .| (second .> secondHigh))
        Self.narrow(&firstLow, &firstHigh, to: first, apothem)
        Self.narrow(&secondLow, &secondHigh, to: second, apothem)
        // With the point inside, at least the point itself is left.
        if isOutside || apothem < 0 { isEmpty = any((firstLow .> firstHigh) .| (secondLow .> secondHigh)) }
        return !isOutside
    }

    @inline(__always)
    private static func narrow(_ low: inout Slabs, _ high: inout Slabs, to centre: Slabs, _ apothem: Float) {
        let (least, most) = (centre - apothem, centre + apothem)
        low.replace(with: least, where: least .> low)
        high.replace(with: most, where: most .< high)
    }
}
