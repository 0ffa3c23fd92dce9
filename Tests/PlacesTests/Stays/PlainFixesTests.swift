import Testing
import TrackEngine
import TrackEnginePlaces

/// Stops of receivers that tell neither speed nor accuracy, some of them only when they have moved.
@Suite struct PlainFixesTests {
    private static let minute: VisitAndTripSettings = {
        var settings = VisitAndTripSettings()
        settings.stopAfter = .seconds(60)
        return settings
    }()

    /// A way with a fix each 10 m, as loggers record it: rests are silence.
    private struct Logger {
        private(set) var fixes: [DetectorFix] = []
        private var clock = 0.0
        private var metres = 0.0

        mutating func walk(_ way: Double, speed: Double = 1.25) {
            for _ in 0..<Int(way / 10) {
                clock += 10 / speed
                metres += 10
                let place = Coordinate(latitude: 52 + metres / 111_264, longitude: 13)
                fixes.append(
                    DetectorFix(
                        fix: Fix(time: DrawnTrack.time(clock), coordinate: place), isMoving: true, odometer: metres,
                        beginsLeg: fixes.isEmpty))
            }
        }

        mutating func rest(_ seconds: Double) { clock += seconds }

        func stays(_ settings: VisitAndTripSettings) throws -> [Visit] {
            var detector = try VisitAndTripDetector(settings, device: "van-7")
            var events: [DetectorEvent] = []
            for fix in fixes { detector.observe(fix) { events.append($0) } }
            return Findings(events).stays
        }
    }

    @Test(arguments: [0.0, 20, 30, 35]) func `a walker who pauses for less than a stop has not stopped`(pause: Double)
        throws
    {
        var track = Logger()
        for _ in 0..<8 {
            track.walk(100)
            track.rest(pause)
        }
        #expect(try track.stays(Self.minute).isEmpty)
    }

    @Test(arguments: [90.0, 200, 600]) func `a rest begins and ends where the silence does`(rest: Double) throws {
        var track = Logger()
        track.walk(300)
        track.rest(rest)
        track.walk(300)
        let stays = try track.stays(Self.minute)
        try #require(stays.count == 1)
        // The walk takes 240 s; the first fix after the rest is 10 m and 8 s farther. A fix beside it may belong to it, too.
        let arrival = try #require(seconds(stays[0].arrival))
        let departure = try #require(seconds(stays[0].departure))
        #expect(abs(arrival - 240) <= 8, "\(arrival)")
        #expect(abs(departure - (248 + rest)) <= 8, "\(departure)")
    }

    @Test func `fixes of the way after a rest do not take the place along`() throws {
        var track = Logger()
        track.walk(300)
        track.rest(400)
        track.walk(300)
        let stays = try track.stays(VisitAndTripSettings())
        try #require(stays.count == 1)
        // 240 s of walk, 400 s of rest, and 8 s to the first fix after it. Counted by number, the centre is 45 m off.
        let departure = try #require(seconds(stays[0].departure))
        #expect(abs(departure - 648) <= 16, "\(departure)")
        #expect(stays[0].centre.distance(to: Coordinate(latitude: 52 + 305 / 111_264, longitude: 13)) <= 10)
    }

    @Test func `a rest in which a place wanders out of the logger's distance once is one`() throws {
        var track = Logger()
        track.walk(300)
        track.rest(250)
        track.walk(10)
        track.rest(150)
        track.walk(300)
        let stays = try track.stays(VisitAndTripSettings())
        try #require(stays.count == 1)
        let departure = try #require(seconds(stays[0].departure))
        #expect(abs(departure - 656) <= 16, "\(departure)")
    }

    @Test func `a stroll that fits into the disc moves on`() throws {
        // 27 m a minute: two fixes lie within the 20 m that each may be wrong of their middle.
        var track = DrawnTrack()
        (track.tellsSpeed, track.interval, track.accuracy) = (false, 60, 20)
        track.goNorth(0.45, seconds: 1200)
        #expect(try Findings(track, Self.minute).stays.isEmpty)
    }
}
