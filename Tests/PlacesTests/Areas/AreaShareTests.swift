import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct AreaShareTests {
    @Test(arguments: [
        (distance: 0.0, radius: 100.0, share: 1.0), (100, 100, 0.391), (90, 20, 0.790), (100, 20, 0.479),
        (110, 20, 0.183),
        (0, 141, 0.503), (0, 200, 0.25), (121, 20, 0),
    ])
    func `the share of a disc in a circle of 100 m`(_ row: (distance: Double, radius: Double, share: Double)) throws {
        let circle = try Area.circle(centre: Walk.origin, radius: 100)
        #expect(abs(circle.share(ofDiscAt: Walk.at(row.distance), radius: row.radius) - row.share) < 0.001)
    }

    /// Beside a straight edge, a disc of radius a whose middle is x·a inside has the share 1 - (acos x - x √(1 - x²)) / π:
    /// 0.5 at 0, 0.8045 at 0.5.
    @Test func `the share at a straight edge and in a corner`() throws {
        let square = try Area.polygon(Earth.square(at: Walk.origin, side: 2000))
        func share(_ east: Double, _ north: Double, _ radius: Double) -> Double {
            square.share(ofDiscAt: Walk.at(east, north), radius: radius)
        }
        #expect(abs(share(0, 0, 20) - 1) < 1e-6)
        #expect(abs(share(1000, 0, 20) - 0.5) < 0.001)
        #expect(abs(share(990, 0, 20) - 0.8045) < 0.001)
        #expect(abs(share(1000, 1000, 20) - 0.25) < 0.001)
        #expect(share(1030, 0, 20) < 1e-6)
        #expect(abs(share(0, 0, 10_000) - 4 / (100 * .pi)) < 1e-4)
    }

    @Test func `a hole is not part of the share`() throws {
        let area = try Area.polygon(
            Earth.square(at: Walk.origin, side: 2000), holes: [Earth.square(at: Walk.origin, side: 200)])
        // 200² of the disc's 200²·π.
        #expect(abs(area.share(ofDiscAt: Walk.origin, radius: 200) - (1 - 1 / .pi)) < 0.001)
    }

    /// A strip of the width of the disc's radius through its middle has 2 / π · (asin ½ + ½ √¾) = 0.609 of it.
    @Test func `the share in a corridor`() throws {
        let corridor = try Area.corridor(along: [Walk.at(-200), Walk.at(200)], width: 20)
        #expect(abs(corridor.share(ofDiscAt: Walk.origin, radius: 20) - 0.609) < 0.001)
        #expect(abs(corridor.share(ofDiscAt: Walk.at(0, 10), radius: 5) - 0.5) < 0.001)
        #expect(corridor.share(ofDiscAt: Walk.at(0, 40), radius: 20) == 0)
    }

    @Test func `the share agrees with a count of points`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<40 {
            let area = try Area.polygon(Earth.star(at: Walk.origin, reach: 200, &random))
            let (centre, radius) = (
                Earth.near(Walk.origin, within: 250, &random), Double.random(in: 10...200, using: &random)
            )
            var hits = 0
            let points = 4000
            for _ in 0..<points {
                let (angle, distance) = (
                    Double.random(in: 0..<(2 * .pi), using: &random),
                    radius * Double.random(in: 0...1, using: &random).squareRoot()
                )
                let point = Earth.offset(
                    centre, east: distance * Oracle.cos(angle), north: distance * Oracle.sin(angle))
                if area.contains(point) { hits += 1 }
            }
            // Four standard deviations of a count of 4000.
            #expect(abs(area.share(ofDiscAt: centre, radius: radius) - Double(hits) / Double(points)) < 0.032)
        }
    }
}
