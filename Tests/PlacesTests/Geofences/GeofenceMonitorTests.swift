import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct GeofenceMonitorTests {
    @Test func `a place is entered and left once`() throws {
        var walk = try Walk([Walk.circle("home", east: 0)])
        for second in 0...60 { walk.fix(Double(second), east: 600 - Double(second) * 20) }
        // At 25 s it is at 100 m, where a little less than half of the disc is inside, and at 26 s at 80 m. At 36 s it is at
        // -120 m, and at 37 s outside by more than 5 + 20 m.
        #expect(walk.events == ["26 enter home", "37 leave home"])
    }

    @Test func `the event carries the place and the fix`() throws {
        let place = try Place(
            id: "h", name: "Home", area: .circle(centre: Walk.origin, radius: 150), created: Walk.time(-5))
        var monitor = try GeofenceMonitor(places: [place])
        var events: [DetectorEvent] = []
        let fixes = [500.0, 0].map { Fix(time: Walk.time(500 - $0), coordinate: Walk.at($0), horizontalAccuracy: 8) }
        for fix in fixes {
            monitor.observe(DetectorFix(fix: fix, isMoving: true, odometer: 0)) { events.append($0) }
        }
        let expected = Transition(
            event: .enter, place: PlaceName(id: "h", name: "Home"), centre: Walk.origin, radius: 150,
            created: Walk.time(-5))
        #expect(events == [DetectorEvent(.transition(expected), at: fixes[1])])
        #expect(monitor.inside == [PlaceName(id: "h", name: "Home")])
    }

    @Test func `whoever is inside at the start is not reported to enter, but to leave`() throws {
        var walk = try Walk([Walk.circle("home", east: 0)])
        walk.fix(0, east: 0)
        #expect(walk.events == [] && walk.monitor.inside.map(\.id) == ["home"])
        walk.fix(100, east: 300)
        #expect(walk.events == ["100 leave home"] && walk.monitor.inside.isEmpty)
    }

    @Test func `at the start a fix on the edge leaves it open, and the next that is sure is silent, too`() throws {
        var walk = try Walk([Walk.circle("home", east: 0)])
        walk.fix(0, east: 110, accuracy: 20)
        walk.fix(10, east: 50)
        #expect(walk.events == [] && walk.monitor.inside.map(\.id) == ["home"])
        var other = try Walk([Walk.circle("home", east: 0)])
        other.fix(0, east: 110, accuracy: 20)
        other.fix(10, east: 200)
        other.fix(20, east: 50)
        #expect(other.events == ["20 enter home"])
    }

    @Test(arguments: [
        (distance: 0.0, accuracy: 20.0, enters: true), (90, 20, true), (98, 20, true), (100, 20, false),
        (0, 141, true), (0, 142, false), (0, 200, false), (110, 20, false),
    ])
    func `a place is entered when more than half of the disc lies in it`(
        _ row: (distance: Double, accuracy: Double, enters: Bool)
    ) throws {
        var walk = try Walk([Walk.circle("home", east: 0)])
        walk.fix(0, east: 5000)
        walk.fix(1000, east: row.distance, accuracy: row.accuracy)
        #expect(walk.events.isEmpty != row.enters)
    }

    @Test(arguments: [
        (distance: 139.0, accuracy: 20.0, leaves: false), (141, 20, true), (319, 200, false), (321, 200, true),
        (124, 5, false), (126, 5, true),
    ])
    func `a place is left when the disc and the hysteresis lie outside`(
        _ row: (distance: Double, accuracy: Double, leaves: Bool)
    ) throws {
        var walk = try Walk([Walk.circle("home", east: 0)])
        walk.fix(0, east: 0)
        walk.fix(1000, east: row.distance, accuracy: row.accuracy)
        #expect(walk.events.isEmpty != row.leaves)
    }

    @Test func `a fix without accuracy counts as one with what the configuration assumes`() throws {
        var walk = try Walk([Walk.circle("home", east: 0)], GeofenceConfiguration(assumedAccuracy: 150))
        walk.fix(0, east: 5000)
        walk.fix(1000, east: 0, accuracy: nil)
        #expect(walk.events == [])
        walk.fix(2000, east: 0, accuracy: 140)
        #expect(walk.events == ["2000 enter home"])
    }

    @Test func `drift about the edge gives one entry and no exit`() throws {
        var walk = try Walk([Walk.circle("home", east: 0)])
        walk.fix(0, east: 300)
        for second in 1...500 { walk.fix(Double(second), east: 100 + 22 * Double((second * 7) % 11 - 5) / 5) }
        #expect(walk.events.count == 1)
    }

    // MARK: Passing

    @Test func `a fast pass between two fixes is entered and left with the second`() throws {
        var walk = try Walk([Walk.circle("second", east: 900), Walk.circle("first", east: 400)])
        walk.fix(0, east: 0)
        walk.fix(30, east: 1300)
        #expect(
            walk.events == ["30 enter first", "30 leave first", "30 enter second", "30 leave second"])
        #expect(walk.monitor.inside.isEmpty)
    }

    @Test func `a pass comes after the exit before it and before the entry behind it`() throws {
        var walk = try Walk([Walk.circle("c", east: 2000), Walk.circle("b", east: 1000), Walk.circle("a", east: 0)])
        walk.fix(0, east: 0)
        walk.fix(60, east: 2000)
        #expect(walk.events == ["60 leave a", "60 enter b", "60 leave b", "60 enter c"])
    }

    @Test func `a line that only touches a place does not pass it`() throws {
        for (north, isPassed) in [(99.0, true), (101.0, false)] {
            var walk = try Walk([Walk.circle("home", east: 500)])
            walk.fix(0, east: 0, north: north, accuracy: 1)
            walk.fix(30, east: 1000, north: north, accuracy: 1)
            #expect(walk.events.isEmpty != isPassed)
        }
    }

    @Test func `a corridor and a polygon are passed, too`() throws {
        let road = try Place(
            id: "road", name: "Road", area: .corridor(along: [Walk.at(300, -500), Walk.at(300, 500)], width: 30))
        let yard = try Place(id: "yard", name: "Yard", area: .polygon(Earth.square(at: Walk.at(600), side: 80)))
        var walk = try Walk([yard, road])
        walk.fix(0, east: 0)
        walk.fix(30, east: 1000)
        #expect(walk.events == ["30 enter road", "30 leave road", "30 enter yard", "30 leave yard"])
    }

    @Test func `nothing is passed across the beginning of a leg, a long gap or a jump`() throws {
        let place = try Walk.circle("home", east: 5000)
        func events(seconds: Double, east: Double, beginsLeg: Bool = false) throws -> [String] {
            var walk = try Walk([place])
            walk.fix(0, east: 0)
            walk.fix(seconds, east: east, beginsLeg: beginsLeg)
            return walk.events
        }
        #expect(try events(seconds: 120, east: 9900).count == 2)
        #expect(try events(seconds: 121, east: 9900) == [])
        #expect(try events(seconds: 120, east: 10_100) == [])
        #expect(try events(seconds: 120, east: 9900, beginsLeg: true) == [])
    }

    // MARK: Dwell

    @Test func `a dwell is reported once, at its moment and the fix before it`() throws {
        var walk = try Walk([Walk.circle("shop", east: 0, dwell: .seconds(300))])
        #expect(walk.monitor.deadline == nil)
        walk.fix(0, east: 500)
        walk.fix(20, east: 0)
        #expect(walk.monitor.deadline == Walk.time(320))
        walk.pass(to: 319)
        walk.pass(to: 320)
        walk.pass(to: 1000)
        #expect(walk.events == ["20 enter shop", "320 dwell shop"] && walk.monitor.deadline == nil)
    }

    @Test func `a dwell is the same whether time passes before the next fix or not`() throws {
        let places = try [
            Walk.circle("late", east: 0, radius: 300, dwell: .seconds(60)),
            Walk.circle("soon", east: 0, dwell: .seconds(30)),
        ]
        var (live, replayed) = (try Walk(places), try Walk(places))
        for (second, east) in [(0.0, 900.0), (10, 0), (100, 0), (110, 900)] {
            for passed in stride(from: 0, to: second, by: 7) { live.pass(to: passed) }
            live.fix(second, east: east)
            replayed.fix(second, east: east)
        }
        #expect(live.events == replayed.events)
        #expect(
            replayed.events == [
                "10 enter late", "10 enter soon", "40 dwell soon", "70 dwell late", "110 leave late", "110 leave soon",
            ])
    }

    @Test func `a stay that ends before the dwell time has none`() throws {
        var walk = try Walk([Walk.circle("shop", east: 0, dwell: .seconds(300))])
        for second in stride(from: 0.0, through: 600, by: 10) {
            walk.fix(second, east: second < 300 ? second - 150 : 500)
        }
        #expect(!walk.events.contains { $0.contains("dwell") })
    }

    // MARK: Other places

    @Test func `another set of places keeps where the object is`() throws {
        var walk = try Walk([Walk.circle("gone", east: 0), Walk.circle("home", east: 0, dwell: .seconds(100))])
        walk.fix(0, east: 0)
        try walk.monitor.replace(places: [
            Walk.circle("new", east: 0), Walk.circle("far", east: 4000),
            Walk.circle("home", east: 0, dwell: .seconds(100)),
        ])
        #expect(walk.monitor.inside.map(\.id) == ["home"])
        walk.fix(50, east: 0)
        #expect(walk.events == [] && walk.monitor.inside.map(\.id) == ["home", "new"])
        walk.pass(to: 100)
        walk.fix(200, east: 4000)
        #expect(walk.events == ["100 dwell home", "200 leave home", "200 leave new", "200 enter far"])
    }

    @Test func `a place with another area is looked at anew, and left if the object is no longer in it`() throws {
        var walk = try Walk([Walk.circle("home", east: 0), Walk.circle("other", east: 9000)])
        walk.fix(0, east: 0)
        try walk.monitor.replace(places: [Walk.circle("home", east: 500), Walk.circle("other", east: 0)])
        #expect(walk.monitor.inside.map(\.id) == ["home"])
        walk.fix(10, east: 0)
        #expect(walk.events == ["10 leave home"] && walk.monitor.inside.map(\.id) == ["other"])
    }

    @Test func `two places with one id are refused`() throws {
        let places = try [Walk.circle("a", east: 0), Walk.circle("a", east: 100)]
        #expect(
            throws: ConfigurationError(
                problems: [ConfigurationProblem(key: "id", value: "a", expectation: "each id once")])
        ) { try GeofenceMonitor(places: places) }
    }
}
