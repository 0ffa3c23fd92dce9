import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct TripTests {
    private let cafe = PlaceName(id: "cafe", name: "Café")

    /// Rest, 3 km at 10 m/s with a light of 60 s in the middle, rest.
    private func drive() -> DrawnTrack {
        var track = DrawnTrack()
        track.altitude = 100
        track.rest(600)
        track.goNorth(10, seconds: 150)
        track.rest(60)
        track.goNorth(10, seconds: 150)
        track.rest(600)
        return track
    }

    @Test func `a trip lies between the departure of one visit and the arrival of the next`() throws {
        let found = try Findings(drive())
        try #require(found.stays.count == 2 && found.ways.count == 1)
        let trip = found.ways[0]
        #expect(trip.start.time == found.stays[0].departure)
        #expect(trip.end?.time == found.stays[1].arrival)
        #expect(trip.end?.coordinate == found.visits.last?.centre)
        #expect(trip.startedBy == .automatic)
        #expect(trip.endedBy == .automatic)
    }

    @Test func `figures of a trip worked by hand`() throws {
        let trip = try #require(try Findings(drive()).ways.last)
        #expect(abs(trip.distance - 3000) < 0.001)
        // 150 fixes at 10 m/s before the light and 150 after, each ending an interval of 1 s.
        #expect(trip.movingTime == .seconds(300))
        #expect(trip.topSpeed == 10)
        #expect(trip.climb == 0)
        // From the fix at 599 s to the first remembered fix at rest, within 5 s of the one at 960 s.
        let duration = try #require(trip.duration)
        #expect(duration >= .seconds(360) && duration <= .seconds(367))
        #expect(trip.mode == .car)
    }

    @Test func `a trip is announced with an open end after 200 metres, dated back to the start`() throws {
        let found = try Findings(drive())
        try #require(found.trips.count == 2)
        #expect(found.trips[0].end == nil)
        #expect(found.trips[0].id == found.trips[1].id)
        #expect(seconds(found.trips[0].start.time) == 599)
        let announced = try #require(
            found.events.first { if case .trip = $0.content { true } else { false } })
        // The first fix beyond 200 m and its accuracy of 5 m, at a vehicle's speed: the 21st of 10 m each.
        #expect(seconds(announced.fix.time) == 620)
    }

    @Test func `the visit is completed before the trip is announced`() throws {
        let kinds = try Findings(drive()).events.map(\.content.kind)
        #expect(kinds == [.visit, .visit, .trip, .trip, .visit])
    }

    @Test func `the places of both ends have their names`() throws {
        let found = try Findings(drive()) { [cafe] in $0.latitude > 52.02 ? cafe : nil }
        #expect(found.ways.first?.start.place == nil)
        #expect(found.ways.first?.end?.place == cafe)
    }

    @Test func `a way that is too short is never told`() throws {
        var track = DrawnTrack()
        track.goNorth(1.4, seconds: 130)  // 182 m
        track.rest(600)
        #expect(try Findings(track).trips.isEmpty)
    }

    @Test(.bug("https://github.com/Freika/dawarich/issues/2704"))
    func `trips do not join over days without movement`() throws {
        var track = DrawnTrack()
        track.goNorth(10, seconds: 300)
        track.skip(3 * 86_400, north: 400)
        track.goNorth(10, seconds: 300)
        track.rest(600)
        let found = try Findings(track)
        try #require(found.ways.count == 2)
        #expect(found.ways[0].endedBy == .gap)
        #expect(seconds(found.ways[0].end?.time) == 299)
        #expect(seconds(found.ways[1].start.time) == 259_500)
        #expect(abs(found.ways[1].distance - 2990) < 0.001)
    }

    @Test func `a trip does not begin before a gap that lies in a departure`() throws {
        var track = DrawnTrack()
        track.rest(600)
        track.stray(north: 900, speed: nil)
        track.skip(3 * 86_400, north: 400)
        track.goNorth(10, seconds: 300)
        track.rest(600)
        let found = try Findings(track)
        try #require(found.ways.count == 1)
        #expect(seconds(found.stays.first?.departure) == 599)
        #expect(seconds(found.ways[0].start.time) == 259_801)
    }

    @Test func `a trip is over an hour after the last fix`() throws {
        var track = DrawnTrack()
        track.goNorth(10, seconds: 300)
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        for fix in track.fixes { detector.observe(fix) { found.events.append($0) } }
        #expect(seconds(detector.deadline) == 3899)
        detector.pass(to: DrawnTrack.time(299 + 3599)) { found.events.append($0) }
        #expect(found.ways.last?.end == nil)
        detector.pass(to: DrawnTrack.time(299 + 3600)) { found.events.append($0) }
        #expect(seconds(found.ways.last?.end?.time) == 299)
        #expect(found.ways.last?.endedBy == .gap)
        #expect(detector.deadline == nil)
    }

    @Test func `a trip across a pause ends before it`() throws {
        var track = DrawnTrack()
        track.goNorth(10, seconds: 300)
        track.skip(600, north: 4000, beginsLeg: true)
        track.goNorth(10, seconds: 300)
        track.rest(600)
        let found = try Findings(track)
        try #require(found.ways.count == 2)
        #expect(seconds(found.ways[0].end?.time) == 299)
        #expect(seconds(found.ways[1].start.time) == 900)
        #expect(abs(found.ways[1].distance - 2990) < 0.001)
    }

    @Test func `a crash in the middle of a trip ends it where it was`() throws {
        var track = DrawnTrack()
        track.rest(300)
        track.goNorth(10, seconds: 300)
        var detector = try VisitAndTripDetector(device: "van-7")
        for fix in track.fixes { detector.observe(fix) { _ in } }
        var next = try VisitAndTripDetector(device: "van-7")
        let isRead = next.resume(from: detector.state)
        #expect(isRead)
        track = DrawnTrack()
        track.skip(20_000, north: 9000, beginsLeg: true)
        track.goNorth(10, seconds: 60)
        var found = Findings([])
        for fix in track.fixes { next.observe(fix) { found.events.append($0) } }
        #expect(seconds(found.trips.first?.end?.time) == 599)
        #expect(found.trips.first?.endedBy == .gap)
        #expect(found.trips.first?.start.time == DrawnTrack.time(299))
    }

    // MARK: By hand

    @Test func `a trip by hand has its mode and lasts over stops until it is stopped`() throws {
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        var track = DrawnTrack()
        track.rest(300)
        for fix in track.fixes { detector.observe(fix) { found.events.append($0) } }
        detector.startTrip(mode: .bicycle) { found.events.append($0) }
        let before = track.fixes.count
        track.goNorth(5, seconds: 200)
        track.rest(900)
        track.goNorth(5, seconds: 200)
        for fix in track.fixes[before...] { detector.observe(fix) { found.events.append($0) } }
        #expect(detector.currentTrip?.mode == .bicycle)
        let wasUnderWay = detector.stopTrip { found.events.append($0) }
        #expect(wasUnderWay)
        #expect(detector.currentTrip == nil)
        try #require(found.ways.count == 1)
        #expect(found.ways[0].startedBy == .requested)
        #expect(found.ways[0].endedBy == .requested)
        #expect(seconds(found.ways[0].start.time) == 299)
        #expect(seconds(found.ways[0].end?.time) == 1599)
        #expect(abs(found.ways[0].distance - 2000) < 0.001)
        #expect(found.stays.count == 2)  // the stop on the way is a visit all the same
    }

    @Test func `trips begin by themselves again after one by hand`() throws {
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        var track = DrawnTrack()
        track.goNorth(10, seconds: 100)
        for fix in track.fixes { detector.observe(fix) { found.events.append($0) } }
        detector.startTrip(mode: .taxi) { found.events.append($0) }
        detector.stopTrip { found.events.append($0) }
        let before = track.fixes.count
        track.goNorth(10, seconds: 100)
        track.rest(600)
        for fix in track.fixes[before...] { detector.observe(fix) { found.events.append($0) } }
        #expect(found.ways.map(\.mode) == [.car, .taxi, .car])
        #expect(found.ways.map(\.startedBy) == [.automatic, .requested, .automatic])
        #expect(found.ways.map(\.endedBy) == [.requested, .requested, .automatic])
    }

    @Test func `a trip asked for before the first fix begins with it`() throws {
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        detector.startTrip(mode: .boat) { found.events.append($0) }
        #expect(found.events.isEmpty)
        var track = DrawnTrack()
        track.goNorth(3, seconds: 10)
        for fix in track.fixes { detector.observe(fix) { found.events.append($0) } }
        #expect(found.ways.map(\.mode) == [.boat])
        #expect(seconds(found.ways.first?.start.time) == 0)
    }

    @Test func `nothing is stopped where no trip is under way`() throws {
        var detector = try VisitAndTripDetector(device: "van-7")
        let wasUnderWay = detector.stopTrip { _ in }
        #expect(!wasUnderWay)
    }

    // MARK: Formulas

    @Test(arguments: [
        (1.8, 1.4, TripMode.walk), (4.0, 2.8, .run), (6.5, 4.5, .bicycle), (9, 3.0, .bicycle), (16, 6.0, .car),
        (12, 9.0, .car), (60, 40, .car), (61, 40, .train), (97, 80, .train), (230, 200, .plane),
    ]) func `the mode follows from top and mean speed`(top: Double, mean: Double, mode: TripMode) {
        #expect(TripModeRule.mode(top: top, mean: mean) == mode)
    }

    @Test func `a climb is counted in steps of ten metres`() {
        var climb = ClimbMeter()
        for altitude in [100.0, 104, 111, 118, 109, 100, 112] { climb.observe(altitude: altitude) }
        #expect(climb.metres == 23)  // 100 to 111, 100 to 112
    }

    @Test func `a climb over a cut is not counted`() {
        var climb = ClimbMeter()
        climb.observe(altitude: 100)
        climb.observe(altitude: 900, isCut: true)
        #expect(climb.metres == 0)
    }
}
