import Testing
import TrackEngine
import TrackEngineFiles

/// Times without a zone, in every format that has times as texts.
@Suite struct LocalTimeTests {
    private static func times(_ format: TrackFormat, _ texts: [String], zone: ZoneOffsetTable = .utc) -> [Timestamp] {
        let points = texts.enumerated().map { Point(time: $0.element, latitude: "\($0.offset + 1)") }
        var reader = format.makeReader(zone: zone)
        let chunk = reader.read(Array(PointDocument.text(format, points).utf8))
        #expect(chunk.problems.isEmpty, "\(chunk.problemTexts)")
        return chunk.fixes.map(\.time)
    }

    private static let texts = [
        "2026-03-01T10:00:00", "2026-03-01 10:00:00", "2026/03/01 10:00:00", "2026-03-01T10:00:00.000",
    ]

    @Test(arguments: PointDocument.formats)
    func `a time without a zone is one in UTC`(_ format: TrackFormat) {
        let expected = Self.texts.map { _ in Timestamp("2026-03-01T10:00:00Z") }
        #expect(Self.times(format, Self.texts) == expected)
    }

    @Test(arguments: PointDocument.formats)
    func `a time without a zone is one in the zone that is given, and one with a zone is not`(_ format: TrackFormat)
        throws
    {
        let zone = try #require(ZoneOffsetTable(secondsAheadOfUTC: 5400))
        let times = Self.times(format, Self.texts + ["2026-03-01T10:00:00Z", "2026-03-01T10:00:00+01:00"], zone: zone)
        let expected =
            Self.texts.map { _ in "2026-03-01T08:30:00Z" } + ["2026-03-01T10:00:00Z", "2026-03-01T09:00:00Z"]
        #expect(times == expected.map { Timestamp($0) })
    }

    @Test(arguments: [
        ("Sun Mar 01 10:00:00 GMT+01:00 2026", "2026-03-01T09:00:00Z"),
        ("Sun Mar 01 10:00:00 UTC 2026", "2026-03-01T10:00:00Z"),
        ("01-Mar-2026 10:00:00.120", "2026-03-01T10:00:00.12Z"),
        ("2026/03/01 10:00:00+00", "2026-03-01T10:00:00Z"), ("2026/03/01 10:00:00.5+0530", "2026-03-01T04:30:00.5Z"),
        ("2026-03-01 12:00:00 AM", "2026-03-01T00:00:00Z"), ("2026-03-01 12:30:00 PM", "2026-03-01T12:30:00Z"),
        ("2026-03-01 01:00:00 pm", "2026-03-01T13:00:00Z"), ("2026-03-01 10:00:00 UTC", "2026-03-01T10:00:00Z"),
        ("1 Mar 2026 10:00:00", "2026-03-01T10:00:00Z"), ("20260301 100000", "2026-03-01T10:00:00Z"),
    ])
    func `times as programs write them are read`(_ text: String, _ expected: String) {
        #expect(Self.times(.gpx, [text]) == [Timestamp(expected)])
    }

    @Test(arguments: [
        "01/03/2026 10:00:00", "010326 100000", "2026-03-01", "10:00:00", "Mar 2026 10:00:00", "31-Feb-2026 10:00:00",
        "2026-03-01 13:00:00 PM", "Sun Mar 01 10:00:00 CET 2026", "2026-03-01T10:00:00 2026-03-02", "+01:00", "",
    ])
    func `what may be another day, or is none, is reported`(_ text: String) {
        let chunk = read(PointDocument.text(.gpx, [Point(time: text)]), as: .gpx)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.count == 1)
    }

    @Test(arguments: [
        ("Time (UTC)", "2026-03-01T10:00:00Z"), ("Time", "2026-03-01T09:00:00Z"), ("utc_time", "2026-03-01T10:00:00Z"),
    ])
    func `a heading that says UTC counts before the zone that is given`(_ heading: String, _ expected: String) throws {
        var reader = TrackFormat.csv.makeReader(zone: try #require(ZoneOffsetTable(secondsAheadOfUTC: 3600)))
        let chunk = reader.read(Array("\(heading),lat,lon\n2026-03-01 10:00:00,1,2\n".utf8))
        #expect(chunk.fixes.map(\.time) == [Timestamp(expected)])
    }

    @Test(arguments: [(86_399, true), (-86_399, true), (86_400, false), (-86_400, false)])
    func `an offset is less than a day`(_ seconds: Int, _ isOne: Bool) {
        #expect((ZoneOffsetTable(secondsAheadOfUTC: seconds) != nil) == isOne)
    }

    @Test func `a comma may stand before the decimals of a height in GPX`() {
        let text =
            "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>4,5</ele><time>2026-03-01T10:00:00</time></trkpt>"
            + "</trkseg></trk></gpx>"
        #expect(read(text, as: .gpx).fixes.map(\.altitude) == [4.5])
    }
}
