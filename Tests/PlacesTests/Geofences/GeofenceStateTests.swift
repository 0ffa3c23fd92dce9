import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct GeofenceStateTests {
    private static func places() throws -> [Place] {
        try [Walk.circle("home", east: 0, dwell: .seconds(100)), Walk.circle("work", east: 5000)]
    }

    /// A walk that goes on with another monitor after a restart.
    private static func restarted(_ walk: Walk, with places: [Place]) throws -> Walk {
        var other = try Walk(places)
        let isRead = other.monitor.resume(from: walk.monitor.state)
        #expect(isRead)
        return other
    }

    @Test func `after a restart the object is where it was, since when it was`() throws {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 0)
        var other = try Self.restarted(walk, with: Self.places())
        #expect(other.monitor.inside.map(\.id) == ["home"] && other.monitor.deadline == Walk.time(100))
        other.pass(to: 150)
        other.fix(200, east: 5000, beginsLeg: true)
        #expect(other.events == ["100 dwell home", "200 leave home", "200 enter work"])
        var third = try Self.restarted(other, with: Self.places())
        third.fix(300, east: 5000)
        #expect(third.events == [])
    }

    @Test func `a dwell that was reported is not reported again`() throws {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 0)
        walk.pass(to: 100)
        var other = try Self.restarted(walk, with: Self.places())
        other.pass(to: 1000)
        #expect(other.events == [])
    }

    @Test func `a dwell has the altitude and the speed of the fix before it, after a restart, too`() throws {
        var first = try GeofenceMonitor(places: Self.places())
        let fix = Fix(
            time: Walk.time(0), coordinate: Walk.origin, altitude: 12.5, horizontalAccuracy: 5, speed: 0.25)
        first.observe(DetectorFix(fix: fix, isMoving: false, odometer: 0, beginsLeg: false)) { _ in }
        var second = try GeofenceMonitor(places: Self.places())
        #expect(second.resume(from: first.state) && second.state == first.state)
        for var monitor in [first, second] {
            var found: [Fix] = []
            monitor.pass(to: Walk.time(100)) { found.append($0.fix) }
            #expect(found.map(\.altitude) == [12.5] && found.map(\.speed) == [0.25])
            #expect(found.map(\.time) == [Walk.time(100)])
        }
    }

    @Test func `a place that is gone is dropped, and one that is new may be found silently`() throws {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 0)
        var other = try Self.restarted(walk, with: [Walk.circle("new", east: 0), Walk.circle("work", east: 5000)])
        #expect(other.monitor.inside == [])
        other.fix(10, east: 0, beginsLeg: true)
        #expect(other.events == [] && other.monitor.inside.map(\.id) == ["new"])
    }

    @Test func `a place with another area still has the object, and the next fix decides`() throws {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 0)
        var other = try Self.restarted(
            walk, with: [Walk.circle("home", east: 900), Walk.circle("work", east: 5000)])
        #expect(other.monitor.inside.map(\.id) == ["home"])
        other.fix(10, east: 0, beginsLeg: true)
        #expect(other.events == ["10 leave home"])
    }

    @Test func `a state has 67 bytes, 12 and the id for each place in which the object is, and 4 for each of 256`()
        throws
    {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 0)
        #expect(walk.monitor.state.count == 67 + 12 + 4 + 2 * 4)
        var other = try Walk((0..<257).map { try Walk.circle("\($0)", east: Double($0) * 300) })
        other.fix(0, east: -9000)
        #expect(other.monitor.state.count == 67)
    }

    @Test(arguments: [false, true])
    func `a place that hidden fixes have shown is left without an event, after a restart and a change as well`(
        _ isSeen: Bool
    ) throws {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 2500)
        walk.hiddenFix(70, east: 0)
        var others = [walk, try Self.restarted(walk, with: Self.places()), walk]
        try others[2].monitor.replace(places: Self.places() + [Walk.circle("new", east: 9000)])
        for var other in others {
            #expect(other.monitor.inside.map(\.id) == ["home"])
            other.hiddenFix(80, east: 10)
            if isSeen { other.fix(90, east: 0) }
            other.fix(160, east: 2500)
            #expect(other.events == (isSeen ? ["160 leave home"] : []))
            other.fix(300, east: 0)
            other.fix(390, east: 2500)
            #expect(other.events.suffix(2) == ["300 enter home", "390 leave home"])
        }
    }

    @Test func `a place that was entered before the hidden fixes is left with an event, and a dwell counts anew`()
        throws
    {
        var walk = try Walk([
            Walk.circle("home", east: 0, dwell: .seconds(100)), Walk.circle("town", east: 0, radius: 2000),
        ])
        walk.fix(0, east: 3000)
        walk.fix(60, east: 1000)
        walk.hiddenFix(100, east: 0)
        walk.hiddenFix(500, east: 0)
        walk.fix(600, east: 0)
        walk.pass(to: 699)
        #expect(walk.events == ["60 enter town"])
        walk.pass(to: 700)
        walk.fix(800, east: 5000)
        #expect(walk.events == ["60 enter town", "700 dwell home", "800 leave town", "800 leave home"])
    }

    @Test func `a state is no more than 64 KiB, however many places the object is in`() throws {
        let places = try (0..<3000).map {
            try Place(
                id: "a place with an id as long as it may be, which is 64 bytes: " + String(10_000 + $0).suffix(4),
                name: "x", area: .circle(centre: Walk.origin, radius: 100))
        }
        var walk = try Walk(places)
        walk.fix(0, east: 0)
        #expect(walk.monitor.inside.count == 3000 && walk.monitor.state.count <= 65_536)
        var other = try Self.restarted(walk, with: places)
        other.fix(10, east: 0)
        #expect(other.events == [] && other.monitor.inside.count == 3000)
    }

    @Test func `what is no state changes nothing`() throws {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 0)
        let state = walk.monitor.state
        var random = SeededGenerator(seed: 4)
        for length in 0..<state.count {
            let isRead = walk.monitor.resume(from: Array(state.prefix(length)))
            #expect(!isRead)
        }
        #expect(walk.monitor.inside.map(\.id) == ["home"])
        for _ in 0..<2000 {
            var bytes = state
            Mutation.apply(to: &bytes, using: &random)
            var other = try Walk(Self.places())
            other.monitor.resume(from: bytes)
            other.fix(10, east: 0)
        }
    }
}
