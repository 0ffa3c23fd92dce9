import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct RingCrossingTests {
    private static func ring(_ corners: (latitude: Double, longitude: Double)...) -> [Coordinate] {
        corners.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    }

    @Test(arguments: [
        ring((0, 0), (0, 1), (1, 1), (1, 0)), ring((0, 0), (0, 1), (1, 1), (1, 0), (0, 0)),
        ring((0, 0), (0, 1), (1, 1)), ring((10, 179.5), (10, -179.5), (11, -179.5), (11, 179.5)),
        ring((89, 0), (89, 90), (89, 180), (89, -90)), ring((0, 0), (0, 3), (1, 2), (3, 3), (3, 0)), [],
    ])
    func `corners in order have no edges that cross, over the antimeridian and the poles as elsewhere`(
        _ ring: [Coordinate]
    ) {
        #expect(RingCrossing(in: ring) == nil)
        #expect(RingCrossing(in: ring.reversed()) == nil)
    }

    @Test(arguments: [
        (ring((0, 0), (1, 1), (0, 1), (1, 0)), 1, 3), (ring((0, 0), (0, 1), (1, 0), (1, 1)), 2, 4),
        (ring((0, 0), (1, 1), (0, 1), (1, 0), (0, 0)), 1, 3),
        (ring((10, 179.5), (11, -179.5), (10, -179.5), (11, 179.5)), 1, 3),
        (ring((89, 0), (89, 180), (89, 90), (89, -90)), 1, 3),
    ])
    func `corners that were mixed up are named by the edges that cross`(
        _ ring: [Coordinate], _ first: Int, _ second: Int
    ) throws {
        let crossing = try #require(RingCrossing(in: ring))
        #expect(crossing.first == first && crossing.second == second)
    }

    @Test func `no star about a point crosses itself, and one with two corners exchanged does`() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<200 {
            let count = Int.random(in: 5...40, using: &random)
            let centre = Earth.anywhere(&random)
            var corners = (0..<count).map { index in
                let (angle, reach) = (
                    Double(index) * 2 * .pi / Double(count), Double.random(in: 1_000...1_200, using: &random)
                )
                return Earth.offset(centre, east: reach * cos(angle), north: reach * sin(angle))
            }
            #expect(RingCrossing(in: corners) == nil)
            corners.swapAt(0, count / 2)
            #expect(RingCrossing(in: corners) != nil)
        }
    }

    @Test func `a ring that is too long to be written by hand is not looked at`() {
        let bowTie = Self.ring((0, 0), (1, 1), (0, 1), (1, 0))
        let fill = (0..<RingCrossing.longestRing).map { Coordinate(latitude: Double($0) / 1e5 - 1, longitude: -1) }
        #expect(RingCrossing(in: bowTie + fill) == nil)
    }
}
