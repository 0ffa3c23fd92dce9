import Testing
import TrackEngine
import TrackEngineFiles

/// Times as texts, which all formats but NMEA read in the same way.
@Suite struct TimeTextTests {
    private static func times(_ format: TrackFormat, _ texts: [String]) -> TrackChunk {
        let points = texts.enumerated().map { Point(time: $0.element, latitude: "\($0.offset + 1)") }
        return read(PointDocument.text(format, points), as: format)
    }

    @Test(arguments: PointDocument.formats)
    func `a time is the same moment in any zone`(_ format: TrackFormat) {
        let texts = [
            "2026-03-01T10:00:00Z", "2026-03-01T12:00:00+02:00", "2026-03-01T04:30:00-05:30",
            "2026-03-02T00:00:00+14:00",
            "2026-02-28T22:00:00-12:00", "2026-03-01T10:00:00+00:00", "2026-03-01T10:00:00-00:00",
            "2026-03-01T11:00:00+0100", "2026-03-01t10:00:00z", "2026-03-01 10:00:00Z", "2026-03-01T10:00Z",
            "2026-03-01 11:00+01:00", "Sun Mar 01 10:00:00 UTC 2026", "Sun Mar 01 10:00:00 GMT 2026",
            "Sun Mar 01 05:00:00 EST 2026", "Sun Mar 01 06:00:00 EDT 2026", "Sun Mar 01 02:00:00 PST 2026",
            "Sun Mar 01 03:00:00 PDT 2026", "Sun Mar 01 04:00:00 CST 2026", "Sun Mar 01 04:00:00 MDT 2026",
            "Sun Mar 01 2026 10:00:00 GMT+0000 (Coordinated Universal Time)",
            "Sun Mar 01 2026 11:00:00 GMT+0100 (Central European Standard Time)",
        ]
        let chunk = Self.times(format, texts)
        #expect(chunk.problemTexts == [])
        #expect(chunk.fixes.count == texts.count)
        #expect(chunk.fixes.allSatisfy { $0.time.nanosecondsSince1970 == 1_772_359_200_000_000_000 })
    }

    @Test(arguments: PointDocument.formats)
    func `fractions of a second are kept to the nanosecond, and cut behind it`(_ format: TrackFormat) {
        let fractions = [
            (".5", 500_000_000), (".05", 50_000_000), (".123", 123_000_000), (".000001", 1000),
            (".999999999", 999_999_999),
            (".123456789", 123_456_789), (".1234567899", 123_456_789), (".000000000", 0),
        ]
        for zone in ["Z", "+00:00"] {
            let chunk = Self.times(format, fractions.map { "2026-03-01T10:00:00\($0.0)\(zone)" })
            #expect(chunk.fixes.map { Int($0.time.nanosecondsInSecond) } == fractions.map(\.1))
            #expect(chunk.problems.isEmpty)
        }
    }

    @Test(arguments: PointDocument.formats)
    func `leap days and leap seconds, and times before 1970, are times`(_ format: TrackFormat) {
        let chunk = Self.times(
            format,
            [
                "2024-02-29T00:00:00Z", "2000-02-29T23:59:59Z", "2016-12-31T23:59:60Z", "1969-12-31T23:59:59.5Z",
                "1700-01-01T00:00:00Z", "2262-01-01T00:00:00Z", "2026-12-31T23:30:00-01:00",
            ])
        #expect(
            chunk.fixes.map(\.time)
                == [
                    "2024-02-29T00:00:00Z", "2000-02-29T23:59:59Z", "2017-01-01T00:00:00Z", "1969-12-31T23:59:59.5Z",
                    "1700-01-01T00:00:00Z", "2262-01-01T00:00:00Z", "2027-01-01T00:30:00Z",
                ].map { Timestamp($0) })
        #expect(chunk.problems.isEmpty)
    }

    @Test(
        arguments: PointDocument.formats,
        [
            "2026-02-29T10:00:00Z", "1900-02-29T10:00:00Z", "2026-13-01T10:00:00Z", "2026-00-01T10:00:00Z",
            "2026-04-31T10:00:00Z", "2026-03-00T10:00:00Z", "2026-03-01T24:00:01Z", "2026-03-01T24:00:00.5Z",
            "2026-03-01T10:60:00Z",
            "2026-03-01T10:00:61Z", "2026-03-01T10:00.5Z", "2026-03-01T10:0Z", "2026-03-01T10:00:00+2:00",
            "2026-03-01T10:00:00+24:00", "2026-03-01T10:00:00.Z", "26-03-01T10:00:00Z", "01.03.2026 10:00:00",
            "yesterday",
            "2026-03-01T10:00:00ZZ",
            "2300-01-01T00:00:00Z", "9999-12-31T23:59:59+01:00", "2300-01-01 00:00:00", "1677-01-01T00:00:00Z",
        ])
    func `what is no time is reported with its line, and the next point is read`(_ format: TrackFormat, _ text: String)
    {
        let chunk = Self.times(format, ["2026-03-01T10:00:00Z", text, "2026-03-01T10:00:01Z"])
        #expect(chunk.latitudes == [1, 3])
        #expect(chunk.problems.map(\.kind) == [.malformed])
        let hasHead = PointDocument.frame(of: format).head.isEmpty ? 0 : 1
        #expect(chunk.problems.map(\.line) == [2 + hasHead])
    }

    @Test(arguments: [TrackFormat.csv, .geojson])
    func `a number is seconds or milliseconds since 1970`(_ format: TrackFormat) {
        let numbers = ["1772359200", "1772359200.25", "1772359200250", "1.7723592e9", "0", "-1.5", "99999999999"]
        let text = PointDocument.text(format, numbers.map { Point(time: $0) }).replacing(/"timestamp":"([^"]*)"/) {
            "\"timestamp\":\($0.1)"
        }
        let chunk = read(text, as: format)
        let nanoseconds = chunk.fixes.map(\.time.nanosecondsSince1970)
        #expect(
            nanoseconds == [
                1_772_359_200_000_000_000, 1_772_359_200_250_000_000, 1_772_359_200_250_000_000,
                1_772_359_200_000_000_000,
                0, -1_500_000_000,
            ])
        #expect(chunk.problems.map(\.kind) == [.malformed])  // the year 5138 is beyond the range of times
    }

    @Test(arguments: PointDocument.formats)
    func `the end of a day is the beginning of the next one`(_ format: TrackFormat) {
        let texts = ["2026-02-28T24:00:00Z", "2026-02-28T24:00:00.000+01:00", "2025-12-31 24:00:00Z"]
        let expected = ["2026-03-01T00:00:00Z", "2026-02-28T23:00:00Z", "2026-01-01T00:00:00Z"]
        let chunk = Self.times(format, texts)
        #expect(chunk.fixes.map(\.time) == expected.map { Timestamp($0) })
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: ["Sun Mar 01 10:00:00 CET 2026", "Sun Mar 01 10:00:00 IST 2026", "Sun Mar 01 10:00:00 AKST 2026"])
    func `the short name of a zone that several zones have is the zone that is given for the file`(_ text: String) {
        let document = Array(PointDocument.text(.csv, [Point(time: text)]).utf8)
        #expect(TrackFormat.csv.read(document).fixes.isEmpty)
        #expect(TrackFormat.csv.read(document).problems.map(\.kind) == [.malformed])
        var reader = TrackFormat.csv.makeReader(zone: ZoneOffsetTable(secondsAheadOfUTC: 3600) ?? .utc)
        #expect(reader.read(document).fixes.map(\.time) == [Timestamp("2026-03-01T09:00:00Z")])
    }

    @Test(arguments: [
        "Sun Mar 01 10:00:00 noon 2026", "2026-03-01 10:00:00 CET", "Sun Mar 01 2026 10:00:00 (Central Time)",
        "Sun Mar 01 2026 10:00:00 GMT+0100 (Central", "Sun Mar 01 2026 10:00:00 GMT+0100 Central",
    ])
    func `other words and brackets are no time`(_ text: String) {
        #expect(TrackFormat.csv.read(Array(PointDocument.text(.csv, [Point(time: text)]).utf8)).fixes.isEmpty)
    }
}
