import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct AreaDistanceTests {
    @Test func `a circle's distance is that to its centre less the radius`() throws {
        let centre = Coordinate(latitude: 52.5, longitude: 13.4)
        let circle = try Area.circle(centre: centre, radius: 100)
        // 0.001° of latitude at 52.5° are 111.27 m (M = 6 375 668 m).
        let north = Coordinate(latitude: 52.501, longitude: 13.4)
        #expect(abs(circle.distance(from: north) - 11.27) < 0.01)
        #expect(circle.distance(from: centre) == -100)
    }

    /// Along every direction, so that an error of the meridian's or the parallel's scale would show.
    @Test(arguments: [10.0, 1000, 10_000, 100_000, 900_000])
    func `a circle agrees with the geodesic`(_ radius: Double) throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let centre = Earth.anywhere(&random)
            let circle = try Area.circle(centre: centre, radius: radius)
            let point = Earth.near(centre, within: radius * 1.5, &random)
            let expected = centre.distance(to: point) - radius
            // Beyond 20 km the yardstick itself, Lambert's formula, is off by some metres.
            let tolerance = radius < 20_000 ? radius * 1e-4 + 0.01 : radius * 5e-4
            #expect(abs(circle.distance(from: point) - expected) < tolerance)
        }
    }

    @Test func `in a square of 200 m the nearest edge counts, inside and outside`() throws {
        let square = try Area.polygon(Earth.square(at: Coordinate(latitude: 0, longitude: 0), side: 200))
        func distance(_ east: Double, _ north: Double) -> Double {
            square.distance(from: Earth.offset(Coordinate(latitude: 0, longitude: 0), east: east, north: north))
        }
        #expect(abs(distance(0, 0) + 100) < 0.01)
        #expect(abs(distance(90, 0) + 10) < 0.01)
        #expect(abs(distance(130, 0) - 30) < 0.01)
        #expect(abs(distance(130, 140) - 50) < 0.01)  // 30, 40 beyond the corner
    }

    @Test func `a hole is outside`() throws {
        let origin = Coordinate(latitude: -33, longitude: 151)
        let ring = try Area.polygon(
            Earth.square(at: origin, side: 400), holes: [Earth.square(at: origin, side: 200).reversed()])
        #expect(abs(ring.distance(from: origin) - 100) < 0.1)
        #expect(abs(ring.distance(from: Earth.offset(origin, east: 150, north: 0)) + 50) < 0.1)
        #expect(ring.contains(ring.centre), "the centre lies in the area although its middle does not")
    }

    @Test func `a corridor reaches half of its width to each side and beyond its ends`() throws {
        let origin = Coordinate(latitude: 0, longitude: 10)
        let corridor = try Area.corridor(
            along: [origin, Earth.offset(origin, east: 1000, north: 0), Earth.offset(origin, east: 1000, north: 500)],
            width: 50)
        func distance(_ east: Double, _ north: Double) -> Double {
            corridor.distance(from: Earth.offset(origin, east: east, north: north))
        }
        #expect(abs(distance(500, 20) + 5) < 0.01)
        #expect(abs(distance(500, 35) - 10) < 0.01)
        #expect(abs(distance(-30, 40) - 25) < 0.01)
        #expect(abs(distance(1010, 250) + 15) < 0.01)
        // Half of 1500 m along the line.
        #expect(abs(corridor.centre.distance(to: Earth.offset(origin, east: 750, north: 0))) < 0.01)
    }

    @Test func `four vertices at 82° north enclose the pole`() throws {
        let area = try Area.polygon([0, 90, 180, -90].map { Coordinate(latitude: 82, longitude: $0) })
        #expect(area.contains(Coordinate(latitude: 90, longitude: 0)))
        #expect(area.contains(Coordinate(latitude: 89, longitude: 123)))
        #expect(!area.contains(Coordinate(latitude: 81, longitude: 0)))
        // The edge between two vertices passes nearer to the pole: tan φ = tan 82° / cos 45° gives 84.32° in its middle.
        #expect(!area.contains(Coordinate(latitude: 84.31, longitude: 45)))
        #expect(area.contains(Coordinate(latitude: 84.34, longitude: 45)))
    }

    @Test func `an area over the antimeridian has no seam`() throws {
        let centre = Coordinate(latitude: -17, longitude: 180)
        let square = try Area.polygon(Earth.square(at: centre, side: 20_000))
        for east in [-9900.0, -100, 100, 9900] {
            #expect(square.contains(Earth.offset(centre, east: east, north: 100)))
        }
        #expect(!square.contains(Earth.offset(centre, east: 10_100, north: 0)))
        #expect(!square.contains(Coordinate(latitude: -17, longitude: 0)))
    }

    @Test func `a ring that crosses itself is inside by the even-odd rule`() throws {
        let origin = Coordinate(latitude: 10, longitude: 10)
        func at(_ east: Double, _ north: Double) -> Coordinate { Earth.offset(origin, east: east, north: north) }
        let bow = try Area.polygon([at(-100, -50), at(100, 50), at(100, -50), at(-100, 50)])
        #expect(bow.contains(at(-80, 0)))
        #expect(bow.contains(at(80, 0)))
        #expect(!bow.contains(at(0, 30)))
    }

    /// The oracle walks along the boundary in steps and measures each; inside it counts crossings in degrees, far from the
    /// antimeridian and the poles. Its edges are straight in degrees, which is up to 1.2 cm elsewhere on 600 m at 60°.
    @Test func `random polygons agree with a walk along their boundary`() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<60 {
            let centre = Coordinate(
                latitude: .random(in: -60...60, using: &random), longitude: .random(in: -170...170, using: &random))
            let ring = Earth.star(at: centre, reach: .random(in: 20...300, using: &random), &random)
            let area = try Area.polygon(ring)
            for _ in 0..<20 {
                let point = Earth.near(centre, within: 400, &random)
                let walked = Oracle.distanceToRing(ring, from: point)
                let expected = Oracle.isInside(ring, point) ? -walked : walked
                #expect(abs(area.distance(from: point) - expected) < 0.02 + 1e-4 * walked)
            }
        }
    }

    /// The same shape, turned on the globe, has the same distances: none of them knows of the poles or the antimeridian.
    @Test func `a shape at a pole or over the antimeridian has the distances that it has elsewhere`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let (reach, seed) = (Double.random(in: 50...2000, using: &random), random.next())
            let pole = Coordinate(latitude: 90, longitude: 0)
            // About a pole a degree of latitude has 111 694 m in all directions.
            func atPole(_ polar: (angle: Double, distance: Double)) -> Coordinate {
                Coordinate(latitude: 90 - polar.distance / 111_694, longitude: polar.angle * 180 / .pi - 180)
            }
            let shape = Earth.polarStar(reach: reach, seed)
            let area = try Area.polygon(shape.map(atPole))
            let flat = shape.map {
                Oracle.Point(x: $0.distance * Oracle.cos($0.angle), y: $0.distance * Oracle.sin($0.angle))
            }
            for _ in 0..<20 {
                let polar = (
                    angle: Double.random(in: 0..<(2 * .pi), using: &random),
                    distance: Double.random(in: 0...3000, using: &random)
                )
                let point = Oracle.Point(
                    x: polar.distance * Oracle.cos(polar.angle), y: polar.distance * Oracle.sin(polar.angle))
                let expected = Oracle.signedDistance(flat, point)
                #expect(abs(area.distance(from: atPole(polar)) - expected) < 0.1 + 2e-4 * abs(expected))
            }
            #expect(area.contains(area.centre) && area.distance(from: pole) < reach)
        }
    }

    @Test func `an area is refused with what was expected, and without positions`() {
        let good = Coordinate(latitude: 1, longitude: 1)
        func problem(_ shape: Area.Shape) -> String {
            do throws(ConfigurationError) {
                _ = try Area(shape)
                return "none"
            } catch { return error.description }
        }
        expectMessage(problem(.circle(centre: good, radius: 0.5)), begin: "radius", as: "a radius too small")
        expectMessage(problem(.circle(centre: good, radius: .nan)), begin: "radius", as: "a radius that is no number")
        expectMessage(
            problem(.circle(centre: Coordinate(latitude: 91, longitude: 1), radius: 5)), begin: "centre",
            as: "a centre that is no position")
        expectMessage(problem(.polygons([])), begin: "polygons", as: "no polygon")
        expectMessage(
            problem(.polygons([Area.Polygon(outer: [good, good, Coordinate(latitude: 2, longitude: 1)])])),
            begin: "ring", as: "a ring of two vertices")
        expectMessage(problem(.corridor(along: [good], width: 10)), begin: "line", as: "a line of one vertex")
        expectMessage(
            problem(.corridor(along: Array(repeating: good, count: 10_001), width: 10)), begin: "vertices",
            as: "too many vertices")
        expectMessage(
            problem(.corridor(along: [good, Coordinate(latitude: 40, longitude: 1)], width: 10)),
            as: "a corridor that is too long")
    }

    @Test func `a closing vertex is dropped, and rings turn as RFC 7946 wants them`() throws {
        let square = Earth.square(at: Coordinate(latitude: 50, longitude: 8), side: 100)
        let area = try Area.polygon(square.reversed() + [square.reversed()[0]])
        guard case .polygons(let polygons) = area.shape else { return #expect(Bool(false)) }
        #expect(polygons.count == 1 && polygons[0].outer.count == 4)
        for (given, expected) in zip(polygons[0].outer, square) { #expect(given.distance(to: expected) < 1e-6) }
    }
}
