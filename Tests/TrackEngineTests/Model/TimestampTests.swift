import Testing
import TrackEngine

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2024-09-21T11:37:49.120Z", 1_726_918_669_120_000_000),
            ("2000-02-29T23:59:59.999999999Z", 951_868_799_999_999_999),
            ("1969-12-31T23:59:59.5Z", -500_000_000),
            ("2026-03-01T11:00:00+01:00", 1_772_359_200_000_000_000),
            ("2026-03-01T02:30:00-07:30", 1_772_359_200_000_000_000),
            ("2026-03-01T02:30:00-0730", 1_772_359_200_000_000_000),
            ("2026-03-01 10:00:00z", 1_772_359_200_000_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
            ("2026-03-01T10:00:00.1234567899Z", 1_772_359_200_123_456_789),
        ] as [(String, Int64)])
    func `RFC 3339 reads and writes`(_ text: String, _ nanoseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.nanosecondsSince1970 == nanoseconds)
    }

    @Test(
        arguments: [
            "", "2026-03-01", "2026-03-01T10:00:00", "2026-13-01T10:00:00Z", "2026-02-29T10:00:00Z",
            "1900-02-29T00:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T10:60:00Z", "2026-03-01T10:00:61Z",
            "2026-03-01T10:00:00.Z", "2026-03-01T10:00:00+24:00", "2026-03-01T10:00:00Zx", "２026-03-01T10:00:00Z",
            "26-03-01T10:00:00Z", "2026-3-1T10:00:00Z", "2026-00-10T10:00:00Z", "2026-04-31T10:00:00Z",
            "9999-12-31T23:59:59Z", "2262-04-11T23:47:16.854775808Z", "2262-04-12T00:00:00+00:00",
            "1677-09-21T00:12:43.145224191Z", "1600-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00",
        ])
    func `what is not RFC 3339 is refused`(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test
    func `fractions are cut, not rounded`() {
        let time = Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 999_999_999)
        #expect(time.rfc3339(.seconds) == "2026-03-01T10:00:00Z")
        #expect(time.rfc3339(.milliseconds) == "2026-03-01T10:00:00.999Z")
        #expect(time.rfc3339(.nanoseconds) == "2026-03-01T10:00:00.999999999Z")
    }

    @Test
    func `any moment survives a round trip`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let time = Timestamp(nanosecondsSince1970: .random(in: .min...(.max), using: &generator))
            #expect(Timestamp(rfc3339: time.description) == time)
        }
        #expect(Timestamp(nanosecondsSince1970: .min).description == "1677-09-21T00:12:43.145224192Z")
        #expect(Timestamp(nanosecondsSince1970: .max).description == "2262-04-11T23:47:16.854775807Z")
    }

    @Test
    func `arithmetic ends at the range's ends instead of trapping`() {
        let end = Timestamp(nanosecondsSince1970: .max)
        let begin = Timestamp(nanosecondsSince1970: .min)
        #expect(end.advanced(by: .seconds(1)) == end)
        #expect(begin.advanced(by: .seconds(-1)) == begin)
        #expect(end.duration(since: begin) == .nanoseconds(Int64.max))
        #expect(Timestamp(secondsSince1970: .max) == end)
        #expect(Timestamp(secondsSince1970: .min) == begin)
    }

    @Test
    func `before 1970 the second is rounded down`() {
        let time = Timestamp(nanosecondsSince1970: -1)
        #expect(time.secondsSince1970 == -1)
        #expect(time.nanosecondsInSecond == 999_999_999)
    }
}
