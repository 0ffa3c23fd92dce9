import Testing
import TrackEngine
import TrackEnginePlaces

/// Stays and trips of a receiver whose clock is wrong for a while, and which tells no speed.
@Suite struct WrongClockTests {
    /// Two rests, a drive of ten minutes to each other and back, and a rest: a fix each 5 s.
    private static var track: DrawnTrack {
        var track = DrawnTrack()
        track.tellsSpeed = false
        track.interval = 5
        for _ in 0..<2 {
            track.rest(900)
            track.goNorth(15, seconds: 600)
            track.rest(900)
            track.goNorth(-15, seconds: 600)
        }
        track.rest(900)
        return track
    }

    private static func found(_ fixes: [DetectorFix]) throws -> Findings {
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        for fix in fixes { detector.observe(fix) { found.events.append($0) } }
        return found
    }

    /// How the last trip went, and whether it was told of in its first minutes.
    private static func lastTrip(_ found: Findings) -> (mode: TripMode?, isAnnounced: Bool) {
        guard let last = found.ways.last, let end = last.end?.time else { return (nil, false) }
        let isAnnounced = found.events.contains { event in
            guard case .trip(let trip) = event.content, trip.id == last.id, trip.end == nil else { return false }
            return event.fix.time < end.advanced(by: .seconds(-300))
        }
        return (last.mode, isAnnounced)
    }

    @Test(arguments: [600, 86_400, 315_360_000] as [Double])
    func `a single fix that is dated ahead takes no later trip its beginning or its mode`(_ ahead: Double) throws {
        var fixes = Self.track.fixes
        #expect(Self.lastTrip(try Self.found(fixes)) == (.car, true))
        fixes.insert(fixes[250].later(by: ahead), at: 250)
        let found = try Self.found(fixes)
        #expect(Self.lastTrip(found) == (.car, true))
        #expect(found.ways.count(where: { $0.mode == .car }) >= 3)
    }

    @Test(arguments: [3600, 86_400, 2_592_000] as [Double])
    func `a clock that goes back takes no later trip its beginning or its mode`(_ step: Double) throws {
        let fixes = Self.track.fixes
        let found = try Self.found(fixes[..<250] + fixes[250...].map { $0.later(by: -step) })
        #expect(Self.lastTrip(found) == (.car, true))
    }

    @Test func `a stay lasts through half a year without a fix, and not through half a century`() throws {
        var track = DrawnTrack()
        track.rest(900)
        let before = track.fixes
        let days = { (days: Double) in try Self.found(before + before.map { $0.later(by: days * 86_400) }) }
        let winter = try days(180)
        #expect(winter.stays.count == 1 && winter.stays.first?.departure == nil)
        let boot = try days(55 * 365)
        #expect(boot.stays.count == 2)
        #expect(seconds(boot.stays.first?.departure).map { $0 <= 900 } == true)
        #expect(seconds(boot.stays.last?.arrival).map { $0 == 55 * 365 * 86_400 } == true)
    }
}

extension DetectorFix {
    /// The same at another time.
    fileprivate func later(by seconds: Double) -> DetectorFix {
        DetectorFix(
            fix: Fix(
                time: fix.time.advanced(by: .seconds(Int64(seconds))), coordinate: fix.coordinate,
                horizontalAccuracy: fix.horizontalAccuracy, speed: fix.speed), isMoving: isMoving, odometer: odometer,
            beginsLeg: beginsLeg)
    }
}
