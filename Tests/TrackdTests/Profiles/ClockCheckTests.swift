import Testing
import TrackEngine
import TrackEngineAgent

/// When a schedule may believe the time of day.
@Suite struct ClockCheckTests {
    private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    @Test(arguments: [
        ("1970-01-01T00:10:00Z", String?.none, false), ("2026-06-01T08:00:00Z", nil, true),
        ("2026-06-01T08:00:00Z", "2026-06-01T07:59:00Z", true), ("2026-06-01T08:00:00Z", "2026-05-31T08:00:00Z", false),
        ("2026-06-01T08:00:00Z", "2026-06-01T09:00:01Z", false), ("2026-06-01T08:00:00Z", "2006-10-16T07:59:00Z", true),
        ("1970-01-01T00:10:00Z", "1970-01-01T00:10:00Z", false),
    ])
    func `the clock is believed where nothing speaks against it`(_ clock: String, _ fix: String?, _ isTrusted: Bool)
        throws
    {
        var witness = ClockCheck()
        if let fix { _ = try witness.note(Self.time(fix), arrival: Self.time(clock)) }
        let trusts = try witness.trusts(Self.time(clock), elapsed: .zero)
        #expect(trusts == isTrusted)
    }

    @Test func `a clock that is put right is believed at once`() throws {
        var witness = ClockCheck()
        let (wrong, right) = try (Self.time("2025-06-01T08:00:00Z"), Self.time("2026-06-01T08:00:30Z"))
        let news = [witness.note(right, arrival: wrong), witness.note(right, arrival: wrong)]
        #expect(news == [true, false])
        let trusts = [witness.trusts(wrong, elapsed: .zero), witness.trusts(right, elapsed: .seconds(30))]
        #expect(trusts == [false, true])
    }
}
