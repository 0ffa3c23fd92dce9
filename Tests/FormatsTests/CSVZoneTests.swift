import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Tables with a column that says in which zone the times of a row are.
@Suite struct CSVZoneTests {
    private static let ten = Timestamp("2026-03-01T10:00:00Z")

    private static func fix(_ text: String) -> Fix? {
        let chunk = read(text, as: .csv)
        #expect(chunk.problemTexts == [])
        return chunk.fixes.first
    }

    @Test(arguments: [
        ("timezone", "+01:00"), ("time_zone", "+0100"), ("tz", "UTC+1"), ("utc_offset", "1"),
        ("UTC offset (s)", "3600"),
        ("GMT offset", "GMT+01:00"), ("offset", "+01:00"), ("utc_offset_minutes", "60"), ("Zone", "+01:00"),
        ("tz_offset", "3600"),
        ("utcOffsetHours", "1.0"), ("utc_offset_ms", "3600000"),
    ])
    func `the zone of a row counts for its times, before them or behind them`(_ heading: String, _ cell: String) {
        #expect(Self.fix("\(heading),time,lat,lon\n\(cell),2026-03-01T11:00:00,1,2\n")?.time == Self.ten)
        #expect(Self.fix("date,time,lat,lon,\(heading)\n2026-03-01,11:00,1,2,\(cell)\n")?.time == Self.ten)
    }

    @Test(arguments: [
        ("-03:30", "06:30:00"), ("-18000", "05:00:00"), ("5.5", "15:30:00"), ("Z", "10:00:00"), ("0", "10:00:00"),
        ("UTC", "10:00:00"), ("", "10:00:00"), ("N/A", "10:00:00"), ("-0500", "05:00:00"), ("+14", "24:00:00"),
    ])
    func `an offset has any of its usual forms, and an empty one is the document's zone`(
        _ cell: String, _ clock: String
    ) {
        let text = clock == "24:00:00" ? "2026-03-02T00:00:00" : "2026-03-01T" + clock
        #expect(Self.fix("time,lat,lon,tz\n\(text),1,2,\(cell)\n")?.time == Self.ten)
    }

    @Test(arguments: ["2026-03-01T10:00:00Z", "1772359200", "2026-03-01 11:00:00+01"])
    func `a time that says itself what it is does not ask for the zone`(_ time: String) {
        for cell in ["+05:00", "60", "nowhere"] {
            #expect(Self.fix("time,lat,lon,tz\n\(time),1,2,\(cell)\n")?.time == Self.ten)
        }
        #expect(Self.fix("utc_time,lat,lon,tz\n2026-03-01 10:00:00,1,2,+01:00\n")?.time == Self.ten)
    }

    @Test(arguments: ["60", "-300", "900", "1400", "+15:00", "CET", "Berlin", "+1:5"])
    func `a zone that nobody can tell is reported, and no row has a guessed time`(_ cell: String) {
        let chunk = read(
            "date,time,lat,lon,tz\n2026-03-01,10:00:00,1,2,\(cell)\n2026-03-01,10:00:01,1,2,+00:00\n", as: .csv)
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T10:00:01Z")])
        #expect(chunk.problems.map(\.line) == [2])
        expectMessage(chunk.problems.first?.message, begin: "zone")
    }

    @Test(arguments: ["zone", "offset", "time_offset"])
    func `a number that may be a heart rate's zone or a video's offset shifts no time`(_ heading: String) {
        #expect(Self.fix("time,lat,lon,\(heading)\n2026-03-01T10:00:00,1,2,3\n")?.time == Self.ten)
    }
}
