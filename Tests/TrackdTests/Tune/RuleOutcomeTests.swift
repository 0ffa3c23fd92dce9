import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineTune

/// What rules make of a track whose figures can be worked out by hand.
@Suite struct RuleOutcomeTests {
    private func outcome(_ rule: RuleSettings, _ track: RecordedTrack = SampleTrack.track()) throws -> RuleOutcome {
        try #require(RuleOutcome(rule, on: track, wire: WireMeter(device: "track", batchSize: 250)))
    }

    private let base = RecordingConfiguration()

    @Test func `a track is measured: fixes, time, way, gaps`() {
        let track = SampleTrack.track()
        #expect(track.fixes.count == 301)
        #expect(track.read == 301)
        #expect(track.recordedSeconds == 300)
        #expect(abs(track.length - 3000) < 1)
        #expect(track.longestGap == .seconds(1))
        #expect(track.parkedFixes == 0)
    }

    @Test func `a gap of more than five minutes is no recording, what the gates refuse no fix`() {
        let later = SampleTrack.fixes.map {
            Fix(time: $0.time.advanced(by: .seconds(3600)), coordinate: $0.coordinate, speed: $0.speed)
        }
        let track = SampleTrack.track(SampleTrack.fixes + [SampleTrack.fixes[300]] + later)
        #expect(track.recordedSeconds == 600)
        #expect(track.longestGap == .seconds(3300))
        #expect(track.refused == [.duplicateTime: 1])
        #expect(track.read == 603)
    }

    @Test func `no more fixes are held than the limit allows, and the others are counted`() {
        let track = SampleTrack.track(limit: 100)
        #expect(track.fixes.count == 100)
        #expect(track.leftOut == 201)
    }

    @Test func `distance 95 m keeps every tenth fix, and is up to 2 m off where it cuts a corner`() throws {
        // The corners are at 100 s and 200 s, where a record is made anyway, since 100 m are ten fixes.
        let outcome = try outcome(.distance(metres: 95, multiplier: nil, on: base))
        #expect(outcome.records == 31 + 1)  // and where it comes to rest
        #expect(outcome.kept.map(Int.init) == (0...30).map { $0 * 10 })
        #expect(outcome.recordsPerHour == 32 * 12)
        #expect(outcome.error.largest < 0.01)
        #expect(outcome.longestSilence == .seconds(10))
    }

    @Test func `a corner that is cut is off by as much as worked out by hand`() throws {
        // Beyond 205 m is 21 fixes later, to 840 m north at 84 s. The next record beyond is at 113 s: 160 m north and 130 m
        // east of that, 206 m. At the corner, at 100 s, 16/29 of that have passed: (72 m east, 928 m north), 101.4 m off.
        let outcome = try outcome(.distance(metres: 205, multiplier: nil, on: base))
        #expect(
            outcome.kept.map(Int.init) == [0, 21, 42, 63, 84, 113, 134, 155, 176, 197, 221, 242, 263, 284, 300])
        #expect(outcome.error.worst == 100)
        #expect(abs(outcome.error.largest - 101.4) < 0.3)
    }

    @Test func `deviation keeps ends and corners, the bound is kept, and time alone is counted`() throws {
        let free = try outcome(.deviation(metres: 5, maximumInterval: .zero, on: base))
        #expect(free.kept.count == 4)
        #expect(free.error.largest <= 5)
        #expect(free.rule.bound == 5)
        let live = try outcome(.deviation(metres: 5, maximumInterval: .seconds(30), on: base))
        #expect(live.longestSilence <= .seconds(30))
        #expect(live.records > free.records)
    }

    @Test func `errors come to largest, mean and the nearest rank`() throws {
        // 95 % of 21 errors are 19.95, so the 20th is the smallest that so many do not exceed.
        let statistics = try #require(ErrorStatistics((1...21).map { Float($0) } + [nil]))
        #expect(statistics.largest == 21)
        #expect(statistics.mean == 11)
        #expect(statistics.percentile95 == 20)
        #expect(statistics.worst == 20)
        #expect(ErrorStatistics([nil, nil]) == nil)
    }

    @Test func `a rebuilt place on the equator, as worked out in the documentation`() {
        let places = [0.0, 0.0004, 0.001]
        let fixes = zip([0, 5, 10], places).map { second, longitude in
            Fix(
                time: SampleTrack.start.advanced(by: .seconds(second)),
                coordinate: Coordinate(latitude: 0, longitude: longitude))
        }
        var errors: [Double] = []
        RebuiltTrack(fixes, kept: [0, 2]).eachError { errors.append(($1 * 10).rounded() / 10) }
        #expect(errors == [0, 11.1, 0])
    }

    @Test func `drift while parked is no error`() throws {
        let end = SampleTrack.fixes[300]
        let parked = (1...400).map { second -> Fix in
            SampleTrack.fix(300 + second, north: Double(second % 2) * 9, east: 1000).standing
        }
        let track = SampleTrack.track(SampleTrack.fixes + parked)
        #expect(track.parkedFixes > 300)
        #expect(abs(track.length - 3000) < 650)  // a minute of drift before it counts as parked
        let outcome = try outcome(.distance(metres: 10, multiplier: nil, on: base), track)
        #expect(outcome.error.largest <= 11, "\(end)")
    }
}

extension Fix {
    fileprivate var standing: Fix {
        Fix(time: time, coordinate: coordinate, horizontalAccuracy: 3, speed: 0)
    }
}
