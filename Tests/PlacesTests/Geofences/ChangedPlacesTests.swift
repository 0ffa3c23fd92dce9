import Testing
import TrackEngine
import TrackEnginePlaces

/// What is known of places goes on when others are added, changed or removed, at once or by a restart.
@Suite struct ChangedPlacesTests {
    /// How the places change.
    enum Way: CaseIterable { case atOnce, byRestart, byDetector }

    private static func depot(radius: Double = 100) throws -> Place {
        try Walk.circle("depot", east: 1000, radius: radius)
    }

    private static func changed(_ walk: Walk, _ places: [Place], _ way: Way) throws -> Walk {
        var next = try Walk(places)
        switch way {
        case .atOnce:
            next = walk
            try next.monitor.replace(places: places)
        case .byRestart:
            let isRead = next.monitor.resume(from: walk.monitor.state)
            #expect(isRead)
        case .byDetector: next.monitor.goOn(from: walk.monitor)
        }
        return next
    }

    @Test(arguments: Way.allCases)
    func `an arrival one fix after a far place was added is told`(_ way: Way) throws {
        var walk = try Walk([Self.depot()])
        walk.fix(0, east: 0)
        walk.fix(10, east: 850)
        var next = try Self.changed(walk, [Walk.circle("far", east: 90_000), Self.depot()], way)
        next.fix(20, east: 1000)
        #expect(next.events == ["20 enter depot"])
    }

    @Test(arguments: Way.allCases)
    func `a place that is new is entered, if the newest fix lies outside of it`(_ way: Way) throws {
        var walk = try Walk([Walk.circle("far", east: 90_000)])
        walk.fix(0, east: 0)
        var next = try Self.changed(walk, [Walk.circle("far", east: 90_000), Self.depot()], way)
        next.fix(20, east: 1000)
        #expect(next.events == ["20 enter depot"])
    }

    @Test(arguments: Way.allCases)
    func `a place that is new where the object is begins silently, and so does one that becomes larger`(
        _ way: Way
    ) throws {
        var walk = try Walk([Self.depot()])
        walk.fix(0, east: 700)
        var next = try Self.changed(walk, [Walk.circle("here", east: 700), Self.depot(radius: 400)], way)
        next.fix(10, east: 700)
        #expect(next.events == [] && next.monitor.inside.map(\.id) == ["here", "depot"])
    }

    @Test(arguments: Way.allCases)
    func `who is inside leaves once, whatever was added or removed meanwhile`(_ way: Way) throws {
        var walk = try Walk([Walk.circle("gone", east: 90_000), Self.depot()])
        walk.fix(0, east: 1000)
        var next = try Self.changed(walk, [Self.depot(), Walk.circle("far", east: 80_000)], way)
        next.fix(10, east: 1000)
        next.fix(200, east: 3000)
        #expect(next.events == ["200 leave depot"])
    }

    @Test func `of more places than are kept one by one those of the same set stay known`() throws {
        let places = try (0..<300).map { try Walk.circle("p\($0)", east: 2000 + Double($0) * 300) }
        var walk = try Walk(places)
        walk.fix(0, east: 0)
        var next = try Self.changed(walk, places, .byRestart)
        next.fix(200, east: 2000)
        #expect(next.events == ["200 enter p0"])
        var other = try Self.changed(walk, Array(places.dropLast()), .atOnce)
        other.fix(200, east: 2000)
        #expect(other.events == ["200 enter p0"])
    }
}
