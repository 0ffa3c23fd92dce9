import Foundation
import TrackEngine

/// The fewest fixes of a track that keep it within a bound: what no filter can do better, for it knows the whole track.
///
/// A shortest path from the first fix to the last over all pairs between which a straight and even way leads past all
/// fixes in between. Distances are exact, in the plane that touches the Earth at the start of each pair (on these tracks,
/// the pairs are a few kilometres apart at the most). From each start the fixes are looked at only until no later one
/// can be reached: until the discs of velocities, each replaced by the polygon of 64 sides *around* it, have nothing in
/// common. So the cost grows with the length of the track times that of the stretches, not with its square.
struct OptimalSubset {
    fileprivate struct Velocity {
        var east: Double
        var north: Double
        /// What the bound amounts to.
        var radius: Double
    }

    private static let directions: [(east: Double, north: Double)] = (0..<32).map {
        (cos(Double($0) * .pi / 32), sin(Double($0) * .pi / 32))
    }

    /// How many fixes the best subset has.
    static func count(_ fixes: [Fix], within bound: Double) -> Int {
        var fewest = Array(repeating: Int.max, count: fixes.count)
        fewest[0] = 1
        for start in fixes.indices {
            for end in reachable(from: start, fixes, within: bound) {
                fewest[end] = min(fewest[end], fewest[start] + 1)
            }
        }
        return fewest[fixes.count - 1]
    }

    private static func reachable(from start: Int, _ fixes: [Fix], within bound: Double) -> [Int] {
        var velocities: [Velocity] = []
        var ends: [Int] = []
        var low = Array(repeating: -Double.infinity, count: 32)
        var high = Array(repeating: Double.infinity, count: 32)
        for end in (start + 1)..<max(fixes.count, start + 1) {
            let velocity = velocity(from: fixes[start], to: fixes[end], within: bound)
            // The latest disc is the smallest and excludes most.
            if !velocities.reversed().contains(where: { $0.excludes(velocity) }) { ends.append(end) }
            velocities.append(velocity)
            for (index, direction) in directions.enumerated() {
                let centre = direction.east * velocity.east + direction.north * velocity.north
                low[index] = max(low[index], centre - velocity.radius)
                high[index] = min(high[index], centre + velocity.radius)
                if low[index] > high[index] { return ends }
            }
        }
        return ends
    }

    private static func velocity(from start: Fix, to end: Fix, within bound: Double) -> Velocity {
        let seconds = Double(end.time.nanosecondsSince1970 - start.time.nanosecondsSince1970) / 1e9
        let degree = 6_371_008.8 * .pi / 180
        let shrink = cos(start.coordinate.latitude * .pi / 180)
        return Velocity(
            east: (end.coordinate.longitude - start.coordinate.longitude) * degree * shrink / seconds,
            north: (end.coordinate.latitude - start.coordinate.latitude) * degree / seconds,
            radius: bound / seconds)
    }
}

extension OptimalSubset.Velocity {
    fileprivate func excludes(_ other: Self) -> Bool {
        let (byEast, byNorth) = (east - other.east, north - other.north)
        return byEast * byEast + byNorth * byNorth > radius * radius
    }
}
