import Testing
import TrackEngine
import TrackEnginePlaces

/// Trips and visits about a gap agree with each other.
@Suite struct GapTests {
    /// A drive, some rest, and hours without a fix.
    private static func track(rest: Double, gap: Double, tellsSpeed: Bool) -> DrawnTrack {
        var track = DrawnTrack()
        track.tellsSpeed = tellsSpeed
        track.rest(600)
        track.goNorth(10, seconds: 300)
        track.rest(rest)
        track.skip(gap)
        track.rest(400)
        return track
    }

    @Test(arguments: [0.0, 5, 45, 100, 170], [true, false])
    func `a trip that a gap ends and the visit after it have one moment between them`(
        _ rest: Double, _ tellsSpeed: Bool
    ) throws {
        let found = try Findings(Self.track(rest: rest, gap: 7200, tellsSpeed: tellsSpeed))
        let trip = try #require(found.ways.first)
        #expect(trip.end != nil && (rest > 50 || trip.endedBy == .gap))
        #expect(found.stays.count == 2)
        #expect(found.stays.last?.arrival == trip.end?.time)
    }

    @Test func `a trip ends where the object came to rest before a gap, and on the way at the last fix`() throws {
        let resting = try Findings(Self.track(rest: 45, gap: 7200, tellsSpeed: true))
        let end = try #require(seconds(resting.ways.first?.end?.time))
        #expect(abs(end - 900) <= 5)
        let moving = try Findings(Self.track(rest: 0, gap: 7200, tellsSpeed: true))
        #expect(seconds(moving.ways.first?.end?.time) == 899)
    }

    @Test func `behind a gap elsewhere the trip before has ended and another visit begins`() throws {
        var track = DrawnTrack()
        track.goNorth(10, seconds: 300)
        track.rest(45)
        track.skip(7200, north: 5000)
        track.rest(400)
        let found = try Findings(track)
        #expect(found.ways.count == 1 && found.ways.first?.endedBy == .gap)
        #expect(found.stays.count == 1)
        #expect(found.stays.first.map { $0.arrival > DrawnTrack.time(7000) } == true)
    }
}
