import Testing
import TrackEngine
import TrackEnginePlaces

/// Stops of receivers that tell neither speed nor accuracy, some of them only when they have moved.
@Suite struct PlainFixesTests {
    private static let minute: StayAndTripSettings = {
        var settings = StayAndTripSettings()
        settings.stopAfter = .seconds(60)
        return settings
    }()

    /// A way with a fix each 10 m, as loggers record it: rests are silence.
    private struct Logger {
        private(set) var fixes: [ObservedFix] = []
        private var clock = 0.0
        private var metres = 0.0

        mutating func walk(_ way: Double, speed: Double = 1.25) {
            for _ in 0..<Int(way / 10) {
                clock += 10 / speed
                metres += 10
                let place = Coordinate(latitude: 52 + metres / 111_264, longitude: 13)
                fixes.append(
                    ObservedFix(
                        fix: Fix(time: DrawnTrack.time(clock), coordinate: place), isMoving: true, odometer: metres,
                        beginsLeg: fixes.isEmpty))
            }
        }

        mutating func rest(_ seconds: Double) { clock += seconds }

        func stays(_ settings: StayAndTripSettings) throws -> [Visit] {
            var detector = try StayAndTripDetector(settings, device: "van-7")
            var events: [DetectedEvent] = []
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

    @Test func `a rest in which a place wanders out of the logger's distance once is one`() throws {
        var track = Logger()
        track.walk(300)
        track.rest(250)
        track.walk(10)
        track.rest(150)
        track.walk(300)
        let stays = try track.stays(StayAndTripSettings())
        try #require(stays.count == 1)
        let departure = try #require(seconds(stays[0].departure))
        #expect(abs(departure - 656) <= 16, "\(departure)")
    }

    @Test func `a slow walk that fits into the disc moves on`() throws {
        // 36 m in a minute, within 24 m of the middle and with 10 m of accuracy.
        var track = DrawnTrack()
        (track.tellsSpeed, track.interval, track.accuracy) = (false, 5, 10)
        track.goNorth(0.6, seconds: 600)
        #expect(try Findings(track, Self.minute).stays.isEmpty)
    }
}
