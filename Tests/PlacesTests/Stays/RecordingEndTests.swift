import Testing
import TrackEngine
import TrackEnginePlaces

/// The end of a recording ends what lasts.
@Suite struct RecordingEndTests {
    private static func ended(
        _ track: DrawnTrack, before: (inout VisitAndTripDetector) -> Void = { _ in }
    ) throws -> (found: Findings, detector: VisitAndTripDetector) {
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        for fix in track.fixes { detector.observe(fix) { found.events.append($0) } }
        before(&detector)
        detector.end { found.events.append($0) }
        return (found, detector)
    }

    @Test func `a trip under way ends at the last fix, with what was travelled until then`() throws {
        var track = DrawnTrack()
        track.rest(600)
        track.goNorth(9, seconds: 300)
        let (found, detector) = try Self.ended(track)
        let trip = try #require(found.ways.last)
        #expect(trip.endedBy == .recording && trip.end?.time == track.fixes.last?.fix.time)
        #expect(abs(trip.distance - 2700) < 30)
        #expect(found.stays.count == 1 && found.stays.first?.departure != nil)
        #expect(detector.currentTrip == nil && detector.currentVisit == nil && detector.deadline == nil)
    }

    @Test func `a visit that lasts ends at the last fix`() throws {
        var track = DrawnTrack()
        track.goNorth(9, seconds: 300)
        track.rest(600)
        let (found, _) = try Self.ended(track)
        #expect(found.ways.map(\.endedBy) == [.automatic])
        #expect(found.stays.map(\.departure) == [track.fixes.last?.fix.time])
        #expect(found.stays.map(\.endedBy) == [.recording])
    }

    @Test func `a visit that was left before has no such mark, one whose departure is uncertain has it`() throws {
        var track = DrawnTrack()
        track.rest(600)
        var uncertain = track
        uncertain.goNorth(9, seconds: 15)
        let left = try Self.ended(uncertain).found
        #expect(left.ways.isEmpty && left.stays.map(\.endedBy) == [.recording])
        let last = try #require(track.fixes.last?.fix.time)
        #expect(left.stays.first?.departure.map { $0 <= last.advanced(by: .seconds(5)) } == true)
        track.goNorth(9, seconds: 300)
        let (found, _) = try Self.ended(track)
        #expect(found.stays.map(\.endedBy) == [nil] && found.stays.first?.departure != nil)
    }

    @Test func `a trip that was asked for ends, at a stop, too`() throws {
        var track = DrawnTrack()
        track.rest(600)
        let (found, _) = try Self.ended(track) { $0.startTrip(mode: .tram) { _ in } }
        #expect(found.ways.map(\.endedBy) == [.recording])
        #expect(found.stays.map { $0.departure == nil } == [false])
    }

    @Test func `nothing is told twice, before the first fix, and of a way that was too short`() throws {
        var track = DrawnTrack()
        let empty = try Self.ended(track)
        #expect(empty.found.events.isEmpty)
        track.goNorth(9, seconds: 10)
        var (found, detector) = try Self.ended(track)
        detector.end { found.events.append($0) }
        #expect(found.events.isEmpty)
        track.goNorth(9, seconds: 100)
        (found, detector) = try Self.ended(track)
        let count = found.events.count
        detector.end { found.events.append($0) }
        #expect(count == 2 && found.events.count == count)
    }

    @Test func `a recording that goes on later begins anew, after a restart, too`() throws {
        var track = DrawnTrack()
        track.goNorth(9, seconds: 100)
        let (first, detector) = try Self.ended(track)
        var next = try VisitAndTripDetector(device: "van-7")
        let isRead = next.resume(from: detector.state)
        #expect(isRead)
        var found = Findings([])
        track.goNorth(9, seconds: 100)
        for fix in track.fixes.dropFirst(100) { next.observe(fix) { found.events.append($0) } }
        next.end { found.events.append($0) }
        #expect(found.ways.count == 1 && found.ways.first?.id != first.ways.first?.id)
        #expect(found.ways.first?.endedBy == .recording)
    }
}
