import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct PrivacyZonesTests {
    private static func zones(_ zones: (east: Double, treatment: PrivacyZones.Action)...) throws -> PrivacyZones {
        try PrivacyZones(
            zones.enumerated().map { .init(try Walk.circle("\($0)", east: $1.east), $1.treatment) })
    }

    /// A fix that says everything.
    private static func fix(east: Double, accuracy: Double? = 10) -> Fix {
        Fix(
            time: Walk.time(7), coordinate: Walk.at(east), altitude: 100, ellipsoidalAltitude: 147,
            horizontalAccuracy: accuracy, verticalAccuracy: 8, speed: 3, speedAccuracy: 1, course: 90,
            courseAccuracy: 4,
            horizontalDilution: 1, positionDilution: 2, satellitesUsed: 9, satellitesVisible: 12,
            mode: .threeDimensional,
            status: .normal, activity: .walking, flags: .simulated)
    }

    @Test(arguments: [(distance: 109.0, isHidden: true), (111, false), (0, true)])
    func `a fix is hidden as soon as its disc touches the zone`(_ row: (distance: Double, isHidden: Bool)) throws {
        let zones = try Self.zones((east: 0, treatment: .drop))
        #expect(zones.outcome(for: Self.fix(east: row.distance)) == (row.isHidden ? .drop : .pass))
    }

    @Test func `a fix without accuracy is hidden within the assumed one`() throws {
        let zones = try Self.zones((east: 0, treatment: .drop))
        #expect(zones.outcome(for: Self.fix(east: 129, accuracy: nil)) == .drop)
        #expect(zones.outcome(for: Self.fix(east: 131, accuracy: nil)) == .pass)
    }

    @Test func `nothing but the time and the flags is left of a fix that is moved`() throws {
        let zones = try Self.zones((east: 0, treatment: .centre))
        let expected = Fix(time: Walk.time(7), coordinate: Walk.origin, flags: .simulated)
        for east in [0.0, 30, -90] { #expect(zones.outcome(for: Self.fix(east: east)) == .replace(expected)) }
    }

    @Test func `fixes of one cell of the grid become one`() throws {
        let zones = try Self.zones((east: 0, treatment: .grid(10_000)))
        var places = Set<Coordinate>()
        for east in stride(from: -100.0, through: 100, by: 5) {
            guard case .replace(let fix) = zones.outcome(for: Self.fix(east: east)) else { return #expect(Bool(false)) }
            #expect(fix.horizontalAccuracy == nil && fix.altitude == nil && fix.speed == nil && fix.course == nil)
            // No farther than half of the diagonal of a cell of 10 km, and half a percent for the Earth's shape.
            #expect(fix.coordinate.distance(to: Walk.at(east)) < 7120)
            places.insert(fix.coordinate)
        }
        #expect(places.count <= 2)
    }

    @Test(arguments: [(90.0, 0.0), (-90, 0), (0, 180), (0, -180), (89.999, 179.999)])
    func `the grid covers the poles and the antimeridian`(_ latitude: Double, _ longitude: Double) throws {
        let position = Coordinate(latitude: latitude, longitude: longitude)
        let zone = try Place(id: "z", name: "z", area: .circle(centre: position, radius: 100))
        let zones = try PrivacyZones([.init(zone, .grid(1000))])
        guard case .replace(let fix) = zones.outcome(for: Fix(time: Walk.time(0), coordinate: position)) else {
            return #expect(Bool(false))
        }
        #expect(fix.coordinate.isValid && fix.coordinate.distance(to: position) < 800)
    }

    @Test func `of several zones the one that tells least decides`() throws {
        let three = try Self.zones((0, .centre), (10, .grid(500)), (20, .drop))
        #expect(three.outcome(for: Self.fix(east: 10)) == .drop)
        let two = try Self.zones((0, .centre), (10, .centre))
        guard case .replace(let fix) = two.outcome(for: Self.fix(east: 10)) else { return #expect(Bool(false)) }
        #expect(fix.coordinate == Walk.origin)
    }

    @Test func `a grid that is too fine is refused`() throws {
        #expect(
            throws: ConfigurationError(problems: [
                ConfigurationProblem(key: "grid", value: "99.0", expectation: "100.0 to 100000.0 metres")
            ])
        ) { try Self.zones((east: 0, treatment: .grid(99))) }
    }
}
