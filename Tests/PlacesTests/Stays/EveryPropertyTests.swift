import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

/// Walks the stored properties of all that detects events: each survives a restart. A new property that does not, or that nothing
/// here changes, fails.
@Suite struct EveryPropertyTests {
    /// The types that are walked into; the properties of any other are compared as a whole.
    private static let parts: Set<String> = [
        "TrackEventDetector", "VisitAndTripDetector", "StopDetector", "NewestFixes", "EventReporter", "TravelMeter",
        "ClimbMeter", "TravelReading", "TripDetector", "JumpFilter", "GeofenceMonitor", "HeartbeatDetector",
    ]

    /// What the configuration says.
    private static let configured: Set<String> = [
        "stays.settings", "stays.stops.rule", "stays.reporter.visits", "stays.reporter.place",
        "stays.reporter.trips.device", "stays.reporter.trips.minimumDistance", "stays.reporter.trips.isAutomatic",
        "fences.index", "fences.configuration", "heartbeat.interval",
    ]

    /// What says the same in another form after a restart: the order of the remembered fixes counts, not where the ring begins; and
    /// places that are undecided are looked at like those that nobody has seen.
    private static let equivalent: Set<String> = [
        "stays.stops.recent.slots", "stays.stops.recent.first", "fences.undecided", "fences.unseen",
    ]

    /// The stored properties by their paths, in words.
    private static func properties(of value: Any) -> [String: String] {
        Mirror.storedProperties(of: value, parts: parts).filter {
            !configured.contains($0.key) && !equivalent.contains($0.key)
        }
    }

    private static func detector() throws -> TrackEventDetector {
        var configuration = TrackEventDetector.Configuration()
        configuration.places = [
            try Place(
                id: "home", name: "Home", area: .circle(centre: DrawnTrack().coordinate, radius: 100),
                dwell: .seconds(120))
        ]
        configuration.stays = VisitAndTripSettings()
        configuration.heartbeat = .seconds(900)
        return try TrackEventDetector(configuration, device: "van-7")
    }

    /// A day on which everything happens: rest, ways with speeds and without, hills, wild fixes, and hours without a fix.
    private static var track: DrawnTrack {
        var track = DrawnTrack()
        track.altitude = 100
        track.rest(400)
        track.goNorth(10, seconds: 60)
        track.altitude = 160
        track.goNorth(10, seconds: 60)
        track.stray(north: 90_000)
        track.goNorth(10, seconds: 20)
        track.stray(north: 80_000, speed: nil)
        track.stray(north: 80_001, speed: nil)
        track.tellsSpeed = false
        track.goEast(8, seconds: 90)
        track.rest(500)
        track.skip(4000)
        track.rest(200)
        track.skip(9000, north: 3000, beginsLeg: true)
        track.goEast(8, seconds: 120)
        return track
    }

    @Test func `every stored property survives a restart, and something here changes each`() throws {
        let fresh = Self.properties(of: try Self.detector())
        var detector = try Self.detector()
        var changed: Set<String> = []
        func restart(_ place: String) throws {
            var next = try Self.detector()
            let isRead = next.resume(from: detector.state)
            #expect(isRead)
            let (before, after) = (Self.properties(of: detector), Self.properties(of: next))
            for (path, value) in before where after[path] != value {
                Issue.record("\(path) is \(after[path] ?? "nothing") after a restart \(place), expected \(value)")
            }
            #expect(next.state == detector.state)
            changed.formUnion(before.filter { fresh[$0.key] != $0.value }.keys)
            detector = next
        }
        let isBegun = detector.perform(.startTrip(.bicycle)) { _ in }
        #expect(isBegun)
        try restart("before the first fix")
        for (index, fix) in Self.track.fixes.enumerated() {
            // The pipeline's odometer has the way to the first wild fix and back.
            let odometer = fix.odometer + (index < 520 ? 0 : 180_000)
            detector.observe(
                DetectorFix(fix: fix.fix, isMoving: fix.isMoving, odometer: odometer, beginsLeg: fix.beginsLeg)
            ) { _ in }
            if index == 700 {
                detector.conceal()
                try restart("where it is hidden")
            }
            if index == 300 { _ = detector.perform(.stopTrip) { _ in } }
            try restart("at fix \(index)")
        }
        let unchanged = Set(fresh.keys).subtracting(changed)
        #expect(unchanged.isEmpty, "nothing here changes \(unchanged.sorted()): extend the track")
    }

    @Test func `a state of the release before is read`() throws {
        // Version 2: no fix that is held back, nothing concealed; a monitor's places are not told one by one.
        var detector = try VisitAndTripDetector(device: "van-7")
        for fix in Self.track.fixes.prefix(100) { detector.observe(fix) { _ in } }
        var state = detector.state
        #expect(state[0] == 3)
        state[0] = 2
        // After the excess: the newest believed fix (1 + 24 + 24 bytes) and the one that is held back (1).
        state.removeSubrange(9..<9 + 50)
        state.removeLast()
        var next = try VisitAndTripDetector(device: "van-7")
        let isRead = next.resume(from: state)
        #expect(isRead)
        #expect(next.currentTrip == detector.currentTrip && next.currentVisit == detector.currentVisit)
        var monitor = try Walk([Walk.circle("home", east: 0), Walk.circle("work", east: 5000)])
        monitor.fix(0, east: 0)
        var old = monitor.monitor.state
        old[0] = 2
        // The altitude and the speed of the last fix, behind version, flag, signature, and its flag, place and time.
        old.removeSubrange(44..<62)
        // What is known of each place, and whether the stay is hidden.
        old.removeLast(2 + 2 * 4 + 1)
        var other = try Walk([Walk.circle("home", east: 0), Walk.circle("work", east: 5000)])
        let isMonitorRead = other.monitor.resume(from: old)
        #expect(isMonitorRead)
        other.fix(10, east: 5000, beginsLeg: true)
        #expect(other.events == ["10 leave home", "10 enter work"])
    }
}
