import AllocationProbe
import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct PlaceIndexTests {
    /// Circles, polygons and corridors of 20 m to 100 km, most of them in four neighbourhoods: a town, the antimeridian and
    /// both poles.
    static func somewhere(_ random: inout SeededGenerator) -> Coordinate {
        let centres = [
            Coordinate(latitude: 52, longitude: 13), Coordinate(latitude: -16, longitude: 179.99),
            Coordinate(latitude: 89.98, longitude: 40), Coordinate(latitude: -89.9, longitude: -170),
        ]
        guard Int.random(in: 0..<8, using: &random) > 0 else { return Earth.anywhere(&random) }
        return Earth.near(centres[Int.random(in: 0..<4, using: &random)], within: 20_000, &random)
    }

    static func place(_ number: Int, _ random: inout SeededGenerator) throws -> Place {
        let centre = somewhere(&random)
        let reach =
            [20.0, 100, 1000, 100_000][Int.random(in: 0..<100, using: &random) / 33]
            * .random(in: 1...2, using: &random)
        let area: Area
        switch number % 3 {
        case 0: area = try .circle(centre: centre, radius: reach)
        case 1: area = try .polygon((0..<5).map { _ in Earth.near(centre, within: reach, &random) })
        default:
            let line = (0..<4).map { _ in Earth.near(centre, within: reach, &random) }
            area = try .corridor(along: line, width: reach / 5)
        }
        return try Place(
            id: "\(number)", name: "\(number)", area: area, hysteresis: .random(in: 0...50, using: &random))
    }

    @Test func `the index finds what a look at all places finds`() throws {
        var random = SeededGenerator(seed: 5)
        for count in [0, 1, 2, 8, 9, 64, 65, 700] {
            let places = try (0..<count).map { try Self.place($0, &random) }
            let index = try PlaceIndex(places)
            for _ in 0..<150 {
                let (point, reach) = (Self.somewhere(&random), [0.0, 30, 5000][Int.random(in: 0..<3, using: &random)])
                let expected = places.indices.filter { places[$0].area.distance(from: point) <= reach }
                #expect(index.places(within: reach, of: point) == expected)
            }
        }
    }

    @Test func `the smallest place is the one that names a position`() throws {
        let index = try PlaceIndex([
            Walk.circle("town", east: 0, radius: 5000), Walk.circle("house", east: 0, radius: 50),
            Walk.circle("far", east: 9000),
        ])
        #expect(index.smallestPlace(containing: Walk.origin)?.id == "house")
        #expect(index.smallestPlace(containing: Walk.at(300))?.id == "town")
        #expect(index.smallestPlace(containing: Walk.at(0, 8000)) == nil)
    }

    /// The oracle has a monitor for each place, which has nothing to find.
    @Test func `a monitor of many places reports what one for each place reports`() throws {
        var random = SeededGenerator(seed: 6)
        for round in 0..<4 {
            let places = try (0..<150).map { try Self.place($0, &random) }
            var together = try GeofenceMonitor(places: places)
            var alone = try places.map { try GeofenceMonitor(places: [$0]) }
            let centre = [
                Coordinate(latitude: 52, longitude: 13), Coordinate(latitude: -16, longitude: 179.99),
                Coordinate(latitude: 89.98, longitude: 40), Coordinate(latitude: -89.9, longitude: -170),
            ][round]
            var (position, count) = (centre, 0)
            for second in 0..<400 {
                position = Earth.near(position, within: 6000, &random)
                if position.distance(to: centre) > 20_000 { position = Earth.near(centre, within: 15_000, &random) }
                let fix = Fix(
                    time: Walk.time(Double(second * 20)), coordinate: position,
                    horizontalAccuracy: .random(in: 1...300, using: &random))
                let observed = DetectorFix(
                    fix: fix, isMoving: true, odometer: 0, beginsLeg: Int.random(in: 0..<9, using: &random) == 0)
                var (found, expected): ([DetectorEvent], [DetectorEvent]) = ([], [])
                together.observe(observed) { found.append($0) }
                for index in alone.indices { alone[index].observe(observed) { expected.append($0) } }
                #expect(Set(found) == Set(expected) && found.count == expected.count)
                count += found.count
            }
            #expect(Set(together.inside) == Set(alone.flatMap(\.inside)))
            #expect(count > 25, "the walk is to see something")
        }
    }

    @Test func `a fix that changes nothing allocates nothing, near places and far from them`() throws {
        var places = try (0..<1000).map {
            try Walk.circle("p\($0)", east: 3000 + Double($0) * 250, dwell: .seconds(1_000_000))
        }
        places.append(try Walk.circle("home", east: 0, radius: 500, dwell: .seconds(1_000_000)))
        places.append(
            try Place(
                id: "yard", name: "Yard", area: .polygon(Earth.square(at: Walk.origin, side: 900)), hysteresis: 100))
        places.append(
            try Place(
                id: "road", name: "Road", area: .corridor(along: [Walk.at(-100, 60), Walk.at(900, 60)], width: 20)))
        var monitor = try GeofenceMonitor(places: places)
        // Within the yard and home, beside the road, with the yard's edge within the disc at times; then away from all.
        let near: [(Double, Double)] = (0..<2000).map { (step: Int) in (Double(step % 440), step % 2 == 0 ? 20 : 5) }
        let far: [(Double, Double)] = (0..<2000).map { step in (Double(-40_000 - step), 5) }
        for part in [near, far] {
            let fixes = part.enumerated().map { step, place in
                DetectorFix(
                    fix: Fix(
                        time: Walk.time(Double(step)), coordinate: Walk.at(place.0), horizontalAccuracy: place.1),
                    isMoving: true, odometer: 0)
            }
            // Once before on a copy, because types are set up when they are first used.
            var rehearsal = monitor
            for fix in fixes { rehearsal.observe(fix) { _ in } }
            monitor.observe(fixes[0]) { _ in }
            var events = 0
            let count = fixes.withUnsafeBufferPointer { fixes in
                allocation_probe_start()
                var index = 1
                while index < fixes.count {
                    monitor.observe(fixes[index]) { _ in events += 1 }
                    index += 1
                }
                let count = allocation_probe_count()
                allocation_probe_stop()
                return count
            }
            #expect(events == 0)
            #expect(count <= 0)
        }
    }
}
