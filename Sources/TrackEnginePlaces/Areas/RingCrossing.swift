package import TrackEngine

/// Two crossing edges of a ring: its corners are not in order around the area.
///
/// An edge is a part of a great circle. Two edges cross if the ends of each lie on both sides of the other's plane,
/// and their common point is between the ends and not on the far side of the Earth.
package struct RingCrossing: Sendable, Hashable {
    /// The corners from which the two edges begin, counted from 1.
    package let first: Int
    package let second: Int

    /// The largest number of corners that are tested, because each edge is compared with each other one. A longer
    /// ring was made by a program.
    package static let longestRing = 4_096

    /// The first two edges that cross; `nil` if there are none.
    package init?(in ring: [Coordinate]) {
        var corners = ring.map(EarthVector.init)
        if ring.count > 1, ring.first == ring.last { corners.removeLast() }
        let count = corners.count
        guard (4...Self.longestRing).contains(count) else { return nil }
        for one in 0..<(count - 2) {
            // The edge after the last corner ends at the first one: it touches the first edge, as neighbours do.
            for other in (one + 2)..<(one == 0 ? count - 1 : count)
            where Self.cross((corners[one], corners[one + 1]), (corners[other], corners[(other + 1) % count])) {
                (first, second) = (one + 1, other + 1)
                return
            }
        }
        return nil
    }

    private typealias Edge = (from: EarthVector, to: EarthVector)

    private static func cross(_ a: Edge, _ b: Edge) -> Bool {
        let (planeOfA, planeOfB) = (a.from.cross(a.to), b.from.cross(b.to))
        let sides = [planeOfA.dot(b.from), planeOfA.dot(b.to), planeOfB.dot(a.to), planeOfB.dot(a.from)]
        // All have the same sign after reversing the second of each pair: crossed from left to right, or from right
        // to left.
        return (sides[0] > 0 && sides[1] < 0 && sides[2] > 0 && sides[3] < 0)
            || (sides[0] < 0 && sides[1] > 0 && sides[2] < 0 && sides[3] > 0)
    }
}
