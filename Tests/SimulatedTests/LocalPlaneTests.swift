import Testing
import TrackEngine
import TrackEngineSimulated

@Suite struct LocalPlaneTests {
    /// Ordinary places and all special ones.
    static let places: [Coordinate] = [
        Coordinate(latitude: 52.52, longitude: 13.405), Coordinate(latitude: 0, longitude: 0),
        Coordinate(latitude: -33.9, longitude: 151.2), Coordinate(latitude: -16.5, longitude: 179.9999),
        Coordinate(latitude: 65, longitude: -180), Coordinate(latitude: 89.999, longitude: 40),
        Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 77),
    ]

    @Test(arguments: places)
    func `the origin lies where the plane was made`(place: Coordinate) {
        let origin = LocalPlane(at: place).coordinate(of: .origin)
        #expect(origin.isValid)
        #expect(origin.distance(to: place) < 1e-6)
    }

    @Test(arguments: places)
    func `distances on the plane are those over ground`(place: Coordinate) {
        let plane = LocalPlane(at: place)
        for (east, north) in [(1.0, 0.0), (0, -1), (300, 400), (-3_000, 4_000), (8_000, -6_000)] {
            let coordinate = plane.coordinate(of: LocalPosition(east: east, north: north))
            let length = (east * east + north * north).squareRoot()
            #expect(coordinate.isValid)
            #expect(abs(coordinate.distance(to: place) - length) < length * 3e-6 + 1e-6)
        }
    }

    @Test func `one minute of latitude at 52.52 north is 1854.6 m`() {
        // Meridian radius there: a(1-e²)/(1-e² sin²φ)^1.5 = 6 375 722 m; one minute of arc of it is 1 854.63 m.
        let plane = LocalPlane(at: Coordinate(latitude: 52.52, longitude: 13.405))
        let coordinate = plane.coordinate(of: LocalPosition(east: 0, north: 1_854.63))
        #expect(abs(coordinate.latitude - 52.52 - 1.0 / 60) < 1e-7)
        #expect(abs(coordinate.longitude - 13.405) < 1e-12)
    }

    @Test func `who drives east from just west of the antimeridian gets to western longitudes`() {
        let plane = LocalPlane(at: Coordinate(latitude: 0, longitude: 179.9999))
        let coordinate = plane.coordinate(of: LocalPosition(east: 100, north: 0))
        #expect(coordinate.longitude < -179.999)
    }

    @Test func `at the origin the heading is the course`() {
        let plane = LocalPlane(at: Coordinate(latitude: 52.52, longitude: 13.405))
        for heading in stride(from: 0.0, to: 360, by: 17) {
            #expect(abs(plane.course(heading: heading, at: .origin) - heading) < 1e-9)
        }
    }

    @Test func `five kilometres east at 60 north the meridians have turned by five sixty-fourths of a degree`() {
        // Convergence: Δλ·sin φ, with Δλ = 5000 m / (N cos 60°) = 5000 / 3 197 104 rad; times sin 60° it is 0.0776°.
        let plane = LocalPlane(at: Coordinate(latitude: 60, longitude: 20))
        let course = plane.course(heading: 90, at: LocalPosition(east: 5_000, north: 0))
        #expect(abs(course - 90.0776) < 0.0005)
    }

    @Test func `beyond the pole north has become south`() {
        let plane = LocalPlane(at: Coordinate(latitude: 89.999, longitude: 0))  // 111.7 m before the pole
        #expect(abs(plane.course(heading: 0, at: LocalPosition(east: 0, north: 100)) - 0) < 1e-6)
        #expect(abs(plane.course(heading: 0, at: LocalPosition(east: 0, north: 200)) - 180) < 1e-6)
        #expect(plane.course(heading: 0, at: .origin).isFinite)
    }
}
