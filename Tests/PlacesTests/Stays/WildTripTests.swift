import Testing
import TrackEngine
import TrackEnginePlaces

/// A drive of half an hour between two rests, whose receiver tells neither speed nor accuracy, and fixes far off in it.
@Suite struct WildTripTests {
    private static func track(speed: Double = 12, interval: Double = 15) -> DrawnTrack {
        var track = DrawnTrack()
        track.tellsSpeed = false
        track.interval = interval
        track.rest(1200)
        track.goNorth(speed, seconds: 1800)
        track.rest(1800)
        return track
    }

    /// What is found when fixes lie so many metres farther east than they do, with the odometer of all that.
    private static func found(_ track: DrawnTrack, wild: [Int: Double]) throws -> Findings {
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        var (odometer, before) = (0.0, Coordinate?.none)
        for (index, observed) in track.fixes.enumerated() {
            let fix = observed.fix
            let shift = (wild[index] ?? 0) / (111_320 * 0.6157)  // cos 52°
            let place = Coordinate(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude + shift)
            odometer += before?.distance(to: place) ?? 0
            before = place
            detector.observe(
                DetectorFix(
                    fix: Fix(time: fix.time, coordinate: place), isMoving: observed.isMoving, odometer: odometer,
                    beginsLeg: observed.beginsLeg)
            ) { found.events.append($0) }
        }
        return found
    }

    @Test(arguments: [80_000.0, 5_000, 2_000], [100, 140, 79, 81])
    func `a single wild fix changes nothing of a drive`(_ metres: Double, _ index: Int) throws {
        let track = Self.track()
        let calm = try #require(try Self.found(track, wild: [:]).ways.first)
        let ways = try Self.found(track, wild: [index: metres]).ways
        #expect(ways.count == 1)
        let way = try #require(ways.first)
        #expect(way.mode == .car && calm.mode == .car)
        #expect(abs(way.distance - calm.distance) < 400, "\(way.distance) m, not \(calm.distance)")
        #expect((way.topSpeed ?? 0) < 20)
    }

    @Test func `a single wild fix makes no train of a walk`() throws {
        let track = Self.track(speed: 1.3)
        let way = try #require(try Self.found(track, wild: [140: 1_200]).ways.first)
        #expect(way.mode == .walk && way.distance < 2_700 && (way.topSpeed ?? 0) < 3)
    }

    @Test func `a wild first fix makes no trip`() throws {
        let ways = try Self.found(Self.track(), wild: [0: 80_000]).ways
        #expect(ways.count == 1 && ways.first?.mode == .car)
        #expect((seconds(ways.first?.start.time) ?? 0) >= 1100)
    }

    @Test func `a wild fix at rest is no way`() throws {
        let way = try #require(try Self.found(Self.track(), wild: [40: 80_000]).ways.first)
        #expect(way.distance < 22_500)
    }

    @Test func `an object that is somewhere else begins a leg there, and the way is none of a trip`() throws {
        let wild = Dictionary(uniqueKeysWithValues: (120..<320).map { ($0, 80_000.0) })
        let ways = try Self.found(Self.track(), wild: wild).ways
        #expect(ways.allSatisfy { $0.distance < 22_500 && ($0.topSpeed ?? 0) < 20 })
        #expect(ways.count == 2)
    }

    @Test func `a train and an airliner are no wild fixes`() throws {
        for (speed, mode) in [(70.0, TripMode.train), (250, .plane)] {
            var track = DrawnTrack()
            track.tellsSpeed = false
            track.interval = 15
            track.rest(1200)
            for part in stride(from: speed / 20, through: speed, by: speed / 20) { track.goNorth(part, seconds: 15) }
            track.goNorth(speed, seconds: 1800)
            track.rest(1800)
            let way = try #require(try Self.found(track, wild: [:]).ways.first)
            #expect(way.mode == mode && abs(way.distance - speed * 1_950) < speed * 200, "\(way)")
        }
    }

    @Test func `what nobody has travelled is kept over a restart`() throws {
        var (detector, next) = (
            try VisitAndTripDetector(device: "van-7"), try VisitAndTripDetector(device: "van-7")
        )
        let fixes = Self.track().fixes
        for observed in fixes[..<100] { detector.observe(observed) { _ in } }
        let far = Coordinate(latitude: 53, longitude: 13)
        let wild = DetectorFix(
            fix: Fix(time: fixes[100].fix.time, coordinate: far), isMoving: true,
            odometer: fixes[99].odometer + 100_000,
            beginsLeg: false)
        let behind = DetectorFix(
            fix: fixes[101].fix, isMoving: true, odometer: fixes[101].odometer + 200_000, beginsLeg: false)
        for observed in [wild, behind] { detector.observe(observed) { _ in } }
        let isRead = next.resume(from: detector.state)
        #expect(isRead)
        let later = DetectorFix(
            fix: fixes[102].fix, isMoving: true, odometer: fixes[102].odometer + 200_000, beginsLeg: false)
        next.observe(later) { _ in }
        #expect((next.currentTrip?.distance ?? .infinity) < 5_000)
    }
}
