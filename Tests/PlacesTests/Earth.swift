import Foundation
import TestSupport
import TrackEngine

/// Positions for tests, worked out without anything of what they test.
enum Earth {
    /// So many metres east and north, by the scale of the latitude.
    static func offset(_ from: Coordinate, east: Double, north: Double) -> Coordinate {
        let sine = Foundation.sin(from.latitude * .pi / 180)
        let flattened = 1 - 0.006_694_379_990_14 * sine * sine
        let meridian = 6_378_137 * (1 - 0.006_694_379_990_14) / (flattened * flattened.squareRoot())
        let latitude = from.latitude + north / meridian * 180 / .pi
        let parallel = 6_378_137 / flattened.squareRoot() * Foundation.cos(from.latitude * .pi / 180)
        let longitude = from.longitude + east / parallel * 180 / .pi
        return Coordinate(latitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude)
    }

    /// A square that runs against the clock.
    static func square(at centre: Coordinate, side: Double) -> [Coordinate] {
        [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { offset(centre, east: $0.0 * side / 2, north: $0.1 * side / 2) }
    }

    static func anywhere(_ random: inout SeededGenerator) -> Coordinate {
        let height = Double.random(in: -1...1, using: &random)
        return Coordinate(
            latitude: Foundation.asin(height) * 180 / .pi, longitude: .random(in: -180...180, using: &random))
    }

    /// A position within about so many metres, in any direction, also beyond a pole.
    static func near(_ centre: Coordinate, within distance: Double, _ random: inout SeededGenerator) -> Coordinate {
        let (latitude, angle) = (centre.latitude * .pi / 180, Double.random(in: 0..<(2 * .pi), using: &random))
        let arc = Double.random(in: 0...distance, using: &random) / 6_371_009
        let sine =
            Foundation.sin(latitude) * Foundation.cos(arc)
            + Foundation.cos(latitude) * Foundation.sin(arc) * Foundation.cos(angle)
        let east = Foundation.atan2(
            Foundation.sin(angle) * Foundation.sin(arc) * Foundation.cos(latitude),
            Foundation.cos(arc) - Foundation.sin(latitude) * sine)
        let longitude = centre.longitude + east * 180 / .pi
        return Coordinate(
            latitude: Foundation.asin(max(-1, min(1, sine))) * 180 / .pi,
            longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
    }

    /// A ring that does not cross itself, against the clock, as angles and distances.
    static func polarStar(reach: Double, _ seed: UInt64) -> [(angle: Double, distance: Double)] {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 3...12, using: &random)
        return (0..<count).map {
            (
                angle: (Double($0) + .random(in: 0...0.8, using: &random)) / Double(count) * 2 * .pi,
                distance: reach * .random(in: 0.3...1, using: &random)
            )
        }
    }

    static func star(at centre: Coordinate, reach: Double, _ random: inout SeededGenerator) -> [Coordinate] {
        polarStar(reach: reach, random.next()).map {
            offset(centre, east: $0.distance * Foundation.cos($0.angle), north: $0.distance * Foundation.sin($0.angle))
        }
    }
}

/// Slow and plain ways to the same answers.
enum Oracle {
    struct Point {
        var x: Double
        var y: Double
    }

    static func sin(_ angle: Double) -> Double { Foundation.sin(angle) }
    static func cos(_ angle: Double) -> Double { Foundation.cos(angle) }

    /// The least distance to 2000 points of each edge, between which a parabola is laid.
    static func distanceToRing(_ ring: [Coordinate], from point: Coordinate) -> Double {
        var best = Double.infinity
        for index in ring.indices {
            let (a, b) = (ring[index], ring[(index + 1) % ring.count])
            let steps = 2000
            for step in 0...steps {
                let share = Double(step) / Double(steps)
                let between = Coordinate(
                    latitude: a.latitude + (b.latitude - a.latitude) * share,
                    longitude: a.longitude + (b.longitude - a.longitude) * share)
                best = min(best, point.distance(to: between))
            }
        }
        return best
    }

    static func isInside(_ ring: [Coordinate], _ point: Coordinate) -> Bool {
        isInside(
            ring.map { Point(x: $0.longitude, y: $0.latitude) }, Point(x: point.longitude, y: point.latitude))
    }

    static func isInside(_ ring: [Point], _ point: Point) -> Bool {
        var isInside = false
        for index in ring.indices {
            let (a, b) = (ring[index], ring[(index + 1) % ring.count])
            if (a.y > point.y) != (b.y > point.y), point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x {
                isInside.toggle()
            }
        }
        return isInside
    }

    static func signedDistance(_ ring: [Point], _ point: Point) -> Double {
        var best = Double.infinity
        for index in ring.indices {
            let (a, b) = (ring[index], ring[(index + 1) % ring.count])
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            let share = max(0, min(1, ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy)))
            best = min(best, Foundation.hypot(point.x - a.x - dx * share, point.y - a.y - dy * share))
        }
        return isInside(ring, point) ? -best : best
    }
}
