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
        "a live date is brought to its occurrence nearest to now",
        arguments: [
            ("2026-11-21T11:59:59Z", "2026-11-21T11:59:59Z", false),
            ("2007-04-07T11:59:59Z", "2026-11-21T11:59:59Z", true),
            ("1987-08-22T11:59:59Z", "2026-11-21T11:59:59Z", true),
            ("2046-07-07T11:59:59Z", "2026-11-21T11:59:59Z", true),
            ("2026-11-30T00:00:00Z", "2026-11-30T00:00:00Z", false),
        ])
    func live(_ time: String, _ expected: String, _ isCorrected: Bool) throws {
        #expect(try Self.corrected(time, now: "2026-11-21T12:00:00Z", .arrival) == (expected, isCorrected))
    }

    @Test("a machine that does not know the time yet takes the first occurrence it could be")
    func unknownTime() throws {
        #expect(
            try Self.corrected("2007-04-07T11:59:59Z", now: "1970-01-01T00:00:10Z", .arrival)
                == ("2026-11-21T11:59:59Z", true))
        #expect(
            try Self.corrected("2026-11-21T11:59:59Z", now: "1970-01-01T00:00:10Z", .arrival)
                == ("2026-11-21T11:59:59Z", false))
        #expect(
            try Self.corrected("2043-01-01T00:00:00Z", now: "1970-01-01T00:00:10Z", .arrival)
                == ("2043-01-01T00:00:00Z", false))
    }

    @Test("a recorded date may be old; only one in the future is brought back")
    func recorded() throws {
        #expect(
            try Self.corrected("2005-05-05T05:05:05Z", now: "2026-11-21T12:00:00Z", .fixTime)
                == ("2005-05-05T05:05:05Z", false))
        #expect(
            try Self.corrected("2033-06-12T04:00:00Z", now: "2026-11-21T12:00:00Z", .fixTime)
                == ("2013-10-27T04:00:00Z", true))
        #expect(
            try Self.corrected("2026-11-22T11:00:00Z", now: "2026-11-21T12:00:00Z", .fixTime)
                == ("2026-11-22T11:00:00Z", false))
    }

    @Test("the pipeline flags what it has put right")
    func flagged() throws {
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
