import Testing
import TrackEngine

/// 1024 weeks are 619 315 200 seconds.
@Suite struct WeekRolloverTests {
    static let period: Int64 = 619_315_200
    static let now = Timestamp(rfc3339: "2026-11-21T12:00:00Z")

    static func corrected(_ time: String, now: String, _ base: TimeBase) throws -> (String, Bool) {
        let fix = Fix(
            time: try #require(Timestamp(rfc3339: time)), coordinate: Coordinate(latitude: 1, longitude: 1))
        let result = WeekRollover(timeBase: base).corrected(fix, wallClock: try #require(Timestamp(rfc3339: now)))
        return (result.time.rfc3339(.seconds), result.flags.contains(.weekRolloverCorrected))
    }

    @Test(
        arguments: [
            ("2026-11-21T11:59:59Z", "2026-11-21T11:59:59Z", false),
            ("2007-04-07T11:59:59Z", "2026-11-21T11:59:59Z", true),
            ("1987-08-22T11:59:59Z", "2026-11-21T11:59:59Z", true),
            ("2046-07-07T11:59:59Z", "2026-11-21T11:59:59Z", true),
            ("2007-04-09T11:59:59Z", "2026-11-23T11:59:59Z", true),
            ("2007-04-09T12:00:01Z", "2007-04-09T12:00:01Z", false),
            ("2007-04-05T11:59:59Z", "2007-04-05T11:59:59Z", false),
            ("2015-06-01T00:00:00Z", "2015-06-01T00:00:00Z", false),
            ("2026-11-30T00:00:00Z", "2026-11-30T00:00:00Z", false),
            ("1677-09-21T00:12:44Z", "1677-09-21T00:12:44Z", false),
            ("2262-04-11T23:47:16Z", "2262-04-11T23:47:16Z", false),
        ])
    func `a live date is put right where that leads to within two days of now, and else stays as it is`(
        _ time: String, _ expected: String, _ isCorrected: Bool
    ) throws {
        #expect(try Self.corrected(time, now: "2026-11-21T12:00:00Z", .arrival) == (expected, isCorrected))
    }

    @Test(
        arguments: [
            ("2007-04-07T11:59:59Z", "1970-01-01T00:00:10Z"), ("2026-11-21T11:59:59Z", "1970-01-01T00:00:10Z"),
            ("2004-05-17T00:00:00Z", "2024-01-01T00:00:00Z"), ("2080-05-19T00:00:00Z", "2100-01-01T00:00:00Z"),
            ("2026-11-21T11:59:59Z", "2038-01-19T03:14:08Z"),
        ])
    func `a clock that cannot be right puts nothing right`(_ time: String, _ now: String) throws {
        for base in [TimeBase.arrival, .fixTime] { #expect(try Self.corrected(time, now: now, base) == (time, false)) }
    }

    @Test
    func `a recorded date may be old; only one in the future that leads to today is put right`() throws {
        #expect(
            try Self.corrected("2005-05-05T05:05:05Z", now: "2026-11-21T12:00:00Z", .fixTime)
                == ("2005-05-05T05:05:05Z", false))
        #expect(
            try Self.corrected("2007-04-07T11:59:59Z", now: "2026-11-21T12:00:00Z", .fixTime)
                == ("2007-04-07T11:59:59Z", false))
        #expect(
            try Self.corrected("2033-06-12T04:00:00Z", now: "2026-11-21T12:00:00Z", .fixTime)
                == ("2033-06-12T04:00:00Z", false))
        #expect(
            try Self.corrected("2046-07-07T04:00:00Z", now: "2026-11-21T12:00:00Z", .fixTime)
                == ("2026-11-21T04:00:00Z", true))
        #expect(
            try Self.corrected("2026-11-22T11:00:00Z", now: "2026-11-21T12:00:00Z", .fixTime)
                == ("2026-11-22T11:00:00Z", false))
    }

    @Test
    func `a live fix of another year is kept as it is, and the true ones after it are not refused`() throws {
        var pipeline = TrackPipeline(.calmGeo, timeBase: .arrival)
        let now = Road.fix(0).time
        let old = Fix(time: try #require(Timestamp(rfc3339: "2015-06-01T00:00:00Z")), coordinate: Road.origin)
        _ = pipeline.process(old, at: TrackInstant(nanoseconds: 0), wallClock: now)
        #expect(pipeline.latest == old)
        _ = pipeline.process(Road.fix(1), at: TrackInstant(nanoseconds: 1_000_000_000), wallClock: now)
        #expect(pipeline.latest == Road.fix(1))
    }

    @Test
    func `the pipeline flags what it has put right`() throws {
        var pipeline = TrackPipeline(.calmGeo, timeBase: .arrival)
        let fix = Road.fix(-Double(Self.period))
        _ = pipeline.process(fix, at: TrackInstant(nanoseconds: 0), wallClock: Road.start)
        #expect(pipeline.latest?.time == Road.start)
        #expect(pipeline.latest?.flags == .weekRolloverCorrected)
        // Who is told of it is told of the fix as it was put right, be it refused.
        var told: [Fix] = []
        pipeline.process(fix, at: TrackInstant(nanoseconds: 1), wallClock: Road.start) { fix, decision in
            #expect(decision == .reject(.duplicateTime))
            told.append(fix)
        }
        #expect(told.map(\.time) == [Road.start])
    }
}
