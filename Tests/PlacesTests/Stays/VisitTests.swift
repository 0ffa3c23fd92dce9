import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct VisitTests {
    /// Rest, a drive of 3 km, rest: with what follows in the tests below.
    private func drive() -> DrawnTrack {
        var track = DrawnTrack()
        track.rest(600)
        track.goNorth(10, seconds: 300)
        track.rest(600)
        return track
    }

    @Test func `a visit is announced when it is certain and completed under the same id`() throws {
        let found = try Findings(drive())
        try #require(found.visits.count == 3)
        #expect(seconds(found.visits[0].arrival) == 0)
        #expect(found.visits[0].departure == nil)
        #expect(found.visits[1].id == found.visits[0].id)
        #expect(seconds(found.visits[1].departure) == 599)  // the last fix at rest
        #expect(found.visits[2].id != found.visits[0].id)
        #expect(found.visits[2].departure == nil)
    }

    @Test func `a visit is known three minutes after the arrival`() throws {
        let found = try Findings(drive())
        #expect(seconds(found.events.first?.fix.time) == 180)
    }

    @Test func `the id follows from the device and the arrival`() throws {
        let found = try Findings(drive())
        #expect(
            found.visits.first?.id
                == EventID(device: "van-7", kind: .visit, beginning: DrawnTrack.time(0)))
    }

    @Test func `an arrival at the end of a drive is known to the memory step`() throws {
        let found = try Findings(drive())
        // The drive ends at 899 s; a fix is remembered each 5 s.
        let arrival = try #require(seconds(found.stays.last?.arrival))
        #expect(abs(arrival - 899) <= 6)
    }

    @Test func `the centre is the middle of the fixes and the radius at least their accuracy`() throws {
        var track = DrawnTrack()
        track.accuracy = 8
        track.rest(600)
        let visit = try #require(try Findings(track).stays.first)
        #expect(visit.centre.distance(to: track.coordinate) < 0.01)
        #expect(abs(visit.radius - 8) < 0.001)
    }

    @Test func `a visit has the name of the place in which its centre lies`() throws {
        let home = PlaceName(id: "home", name: "Home")
        let found = try Findings(drive()) { $0.latitude < 52.01 ? home : nil }
        #expect(found.stays.map(\.place) == [home, nil])
    }

    // MARK: What is no visit

    @Test func `a traffic light is no visit`() throws {
        var track = DrawnTrack()
        track.goNorth(10, seconds: 200)
        track.rest(120)
        track.goNorth(10, seconds: 200)
        #expect(try Findings(track).visits.isEmpty)
    }

    @Test func `a tunnel is no visit`() throws {
        var track = DrawnTrack()
        track.goNorth(20, seconds: 200)
        track.skip(900, north: 15_000)
        track.goNorth(20, seconds: 200)
        let found = try Findings(track)
        #expect(found.visits.isEmpty)
        #expect(found.ways.count == 1)
    }

    @Test func `a slow walk is no visit`() throws {
        var track = DrawnTrack()
        track.tellsSpeed = false
        track.goNorth(0.8, seconds: 1800)
        #expect(try Findings(track).visits.isEmpty)
    }

    @Test func `a stroll with a fix now and then takes no place along`() throws {
        var track = DrawnTrack()
        track.tellsSpeed = false
        track.interval = 20
        track.accuracy = 20
        track.goNorth(0.8, seconds: 7200)
        #expect(try Findings(track).visits.isEmpty)
    }

    @Test func `a ferry moves although nobody on it does`() throws {
        var track = DrawnTrack()
        track.goNorth(8, seconds: 3600)
        #expect(try Findings(track).visits.isEmpty)
    }

    // MARK: Dawarich's complaints

    @Test func `a parked car's drift is neither a trip nor another visit`() throws {
        for seed: UInt64 in 11...13 {
            var journey = Journey(seed: seed, reception: Reception(error: 15, memory: 300, modesty: 0.5))
            journey.rest(20_000)
            let found = Findings(try VisitAndTripDetector.events(of: ObservedTrack(journey.track("parked"))))
            #expect(found.stays.count == 1)
            #expect(found.trips.isEmpty)
        }
    }

    @Test(.bug("https://github.com/Freika/dawarich/issues/2966"))
    func `a day at home with one fix each 15 minutes is one visit`() throws {
        for seed: UInt64 in 11...(TestEnvironment.isOptimised ? 16 : 13) {
            var journey = Journey(
                seed: seed,
                reception: Reception(
                    error: 20, memory: 60, modesty: 0.7, speedError: nil, interval: 900, outliersPerHour: 0.1,
                    outlierDistance: 400))
            journey.potter(86_400, within: 15)
            let found = Findings(try VisitAndTripDetector.events(of: ObservedTrack(journey.track("home"))))
            #expect(found.stays.count == 1)
            #expect(found.trips.isEmpty)
        }
    }

    @Test(.bug("https://github.com/Freika/dawarich/issues/2775"))
    func `no visit lies where no fix does`() throws {
        for scenario in Scenario.allCases {
            let track = scenario.track(seed: 21)
            let found = Findings(try VisitAndTripDetector.events(of: ObservedTrack(track)))
            for visit in found.stays {
                let nearest = track.fixes.map { $0.coordinate.distance(to: visit.centre) }.min() ?? .infinity
                #expect(nearest < 50, "\(scenario.rawValue)")
            }
        }
    }

    @Test(.bug("https://github.com/Freika/dawarich/issues/3203"))
    func `a visit exists also where tracking was off in between`() throws {
        var track = DrawnTrack()
        track.goNorth(10, seconds: 300)
        track.skip(7200, beginsLeg: true)  // switched off at the arrival
        track.goNorth(10, seconds: 300)
        let found = try Findings(track)
        try #require(found.stays.count == 1)
        #expect(seconds(found.stays[0].arrival) == 299)
        #expect(seconds(found.stays[0].departure) == 7500)
        #expect(found.ways.count == 2)
        #expect(seconds(found.ways[0].end?.time) == 299)
        #expect(seconds(found.ways[1].start.time) == 7500)
    }

    @Test(.bug("https://github.com/Freika/dawarich/issues/2952"))
    func `detection run again gives the same events under the same ids`() throws {
        let track = ObservedTrack(Scenario.carTown.track(seed: 31))
        let (first, second) = (
            try VisitAndTripDetector.events(of: track), try VisitAndTripDetector.events(of: track)
        )
        #expect(first == second)
        #expect(!first.isEmpty)
    }

    // MARK: Robustness

    @Test func `a single outlier is no departure`() throws {
        var track = DrawnTrack()
        track.rest(600)
        track.stray(north: 900)
        track.rest(600)
        #expect(try Findings(track).visits.count == 1)
    }

    @Test(arguments: [90.0, 300]) func `a burst of outliers is no departure`(metres: Double) throws {
        for tellsSpeed in [true, false] {
            var track = DrawnTrack()
            track.tellsSpeed = tellsSpeed
            track.rest(600)
            for _ in 0..<60 { track.stray(north: metres) }
            track.rest(600)
            #expect(try Findings(track).visits.count == 1)
        }
    }

    @Test func `a place that wanders for an hour at rest is no departure`() throws {
        var track = DrawnTrack()
        track.rest(600)
        for _ in 0..<3600 { track.stray(north: 90) }
        track.rest(600)
        #expect(try Findings(track).visits.count == 1)
    }

    @Test func `a fix that is too coarse decides nothing`() throws {
        var track = DrawnTrack()
        track.rest(600)
        for _ in 0..<300 { track.stray(north: 900, accuracy: 1200) }
        track.rest(60)
        #expect(try Findings(track).visits.count == 1)
    }

    @Test func `accuracy that gets worse indoors is no departure`() throws {
        var track = DrawnTrack()
        track.rest(300)
        for _ in 0..<20 {
            for _ in 0..<30 { track.stray(north: 90, accuracy: 60) }
            track.rest(30)
        }
        #expect(try Findings(track).visits.count == 1)
    }

    @Test func `a visit across the antimeridian is one and has its centre there`() throws {
        var track = DrawnTrack(at: Coordinate(latitude: 52, longitude: 179.99999))
        for step in 0..<600 {
            track.coordinate = Coordinate(latitude: 52, longitude: step.isMultiple(of: 2) ? 179.9999 : -179.9999)
            track.rest(1)
        }
        let visits = try Findings(track).visits
        try #require(visits.count == 1)
        #expect(visits[0].centre.distance(to: Coordinate(latitude: 52, longitude: 180)) < 1)
    }

    @Test func `walking to a neighbour and back are three visits`() throws {
        var track = DrawnTrack()
        track.rest(600)
        track.goNorth(1.4, seconds: 120)  // 168 m
        track.rest(1200)
        track.goNorth(-1.4, seconds: 120)
        track.rest(600)
        let found = try Findings(track)
        #expect(found.stays.count == 3)
        #expect(found.trips.isEmpty)  // shorter than 200 m
    }

    @Test func `running about a tennis court for an hour is one visit`() throws {
        var track = DrawnTrack()
        track.goNorth(10, seconds: 120)
        for _ in 0..<180 {
            track.goNorth(2, seconds: 10)
            track.goNorth(-2, seconds: 10)
        }
        track.goNorth(10, seconds: 120)
        let stays = try Findings(track).stays
        try #require(stays.count == 1)
        let length = try #require(stays[0].departure).seconds - stays[0].arrival.seconds
        #expect(abs(length - 3600) < 60)
    }

    // MARK: Time alone

    @Test func `a stay is certain by time alone once a fix has shown rest`() throws {
        var track = DrawnTrack()
        track.goNorth(10, seconds: 100)
        track.rest(80)
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        for fix in track.fixes { detector.observe(fix) { found.events.append($0) } }
        #expect(found.visits.isEmpty)
        let due = try #require(detector.deadline)
        #expect(abs((seconds(due) ?? 0) - 279) <= 6)  // the arrival and three minutes
        detector.pass(to: due.advanced(by: .seconds(-1))) { found.events.append($0) }
        #expect(found.visits.isEmpty)
        detector.pass(to: due) { found.events.append($0) }
        #expect(found.visits.count == 1)
        #expect(detector.deadline == nil)
    }

    @Test func `silence is not rest`() throws {
        var track = DrawnTrack()
        track.goNorth(10, seconds: 100)
        track.rest(20)
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        for fix in track.fixes { detector.observe(fix) { found.events.append($0) } }
        detector.pass(to: DrawnTrack.time(50_000)) { found.events.append($0) }
        #expect(found.visits.isEmpty)
    }

    @Test func `deadlines that nobody passes are passed with the next fix`() throws {
        for scenario in Scenario.allCases {
            let track = ObservedTrack(scenario.track(seed: 41))
            var detector = try VisitAndTripDetector(device: "van-7")
            var events: [DetectorEvent] = []
            for fix in track.fixes {
                while let due = detector.deadline, due < fix.fix.time { detector.pass(to: due) { events.append($0) } }
                detector.observe(fix) { events.append($0) }
            }
            #expect(try events == VisitAndTripDetector.events(of: track), "\(scenario.rawValue)")
        }
    }
}
