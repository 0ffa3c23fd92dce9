import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct GeofencePathTests {
    /// The oracle asks for the share of the disc twice a metre. Where it is above 0.52 for 3 m, the way leads through the place;
    /// where it is nowhere above 0.48, it does not; between them a rounding may decide.
    @Test func `a place is passed where a fix on the way would lie in it`() throws {
        var random = SeededGenerator(seed: 9)
        var (passed, missed) = (0, 0)
        for _ in 0..<400 {
            let area: Area
            switch Int.random(in: 0..<3, using: &random) {
            case 0: area = try .polygon(Earth.star(at: Walk.origin, reach: 150, &random))
            case 1: area = try .circle(centre: Walk.origin, radius: .random(in: 5...150, using: &random))
            default:
                let line = (0..<3).map { _ in Earth.near(Walk.origin, within: 150, &random) }
                area = try .corridor(along: line, width: .random(in: 5...40, using: &random))
            }
            let (north, slope) = (
                Double.random(in: -160...160, using: &random), Double.random(in: -100...100, using: &random)
            )
            var depths: [Bool] = []
            var isTouched = false
            for step in 0...1600 {
                let along = Double(step) / 2 - 400
                let share = area.share(ofDiscAt: Walk.at(along, north + slope * along / 400), radius: 5)
                depths.append(share > 0.52)
                if share > 0.48 { isTouched = true }
            }
            let isThrough = depths.split(separator: false).contains { $0.count > 6 }
            guard isThrough || !isTouched else { continue }
            var walk = try Walk([try Place(id: "p", name: "P", area: area)])
            walk.fix(0, east: -400, north: north - slope)
            walk.fix(20, east: 400, north: north + slope)
            #expect(walk.events == (isThrough ? ["20 enter p", "20 leave p"] : []))
            if isThrough { passed += 1 } else { missed += 1 }
        }
        #expect(passed > 100 && missed > 100)
    }
}
