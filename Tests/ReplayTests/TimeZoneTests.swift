import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineSettings

/// Zones by their names, for times that are written without one. The offsets are those of the law: Berlin's clock is one
/// hour ahead of UTC, two from the last Sunday of March, 01:00 UTC, to that of October.
@Suite struct TimeZoneTests {
    private static func times(_ texts: [String], zone: ZoneOffsetTable) -> [Timestamp] {
        let rows = texts.map { "\($0),1,2\n" }.joined()
        var decoder = ReplayFormat.csv.makeDecoder(zone: zone)
        var chunk = TrackChunk()
        decoder.decode(Array("time,lat,lon\n\(rows)".utf8).span, into: &chunk)
        decoder.finish(into: &chunk)
        return chunk.fixes.map(\.time)
    }

    @Test(arguments: [
        ("2026-01-15 12:00:00", "2026-01-15T11:00:00Z"), ("2026-07-15 12:00:00", "2026-07-15T10:00:00Z"),
        ("2026-03-29 01:59:59", "2026-03-29T00:59:59Z"), ("2026-03-29 03:00:00", "2026-03-29T01:00:00Z"),
        // The clock skips this hour: as if it had not been put forward.
        ("2026-03-29 02:30:00", "2026-03-29T01:30:00Z"),
        // The clock shows this hour twice: the first time.
        ("2026-10-25 02:30:00", "2026-10-25T00:30:00Z"), ("2026-10-25 03:00:00", "2026-10-25T02:00:00Z"),
        ("2099-07-15 12:00:00", "2099-07-15T10:00:00Z"), ("1985-07-15 12:00:00", "1985-07-15T10:00:00Z"),
    ])
    func `the clock of Berlin is put forward in spring and back in autumn`(_ clock: String, _ moment: String) throws {
        let zone = try #require(ZoneOffsetTable(name: "Europe/Berlin"))
        #expect(Self.times([clock], zone: zone) == [Timestamp(moment)])
    }

    @Test(arguments: [
        ("America/New_York", "2026-07-15T16:00:00Z"), ("Asia/Kolkata", "2026-07-15T06:30:00Z"),
        ("Australia/Sydney", "2026-07-15T02:00:00Z"), ("UTC", "2026-07-15T12:00:00Z"),
        ("+05:30", "2026-07-15T06:30:00Z"), ("-08", "2026-07-15T20:00:00Z"), ("+00:00", "2026-07-15T12:00:00Z"),
    ])
    func `zones have their offsets`(_ name: String, _ moment: String) throws {
        let zone = try #require(ZoneOffsetTable(name: name))
        #expect(Self.times(["2026-07-15T12:00:00"], zone: zone) == [Timestamp(moment)])
    }

    @Test(arguments: [
        "", "Europe/Nowhere", "../../../etc/passwd", "/etc/localtime", "Europe", "+1", "+24:00", "+01:60", "+01:00:00",
        "+0100", "tzdata.zi",
    ])
    func `what is no zone is none`(_ name: String) {
        #expect(ZoneOffsetTable(name: name) == nil)
    }

    /// A file of the database with two types, one hour and two hours ahead, one change, and a rule behind it.
    private static func file(rule: String, change: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 10]) -> [UInt8] {
        func header(_ counts: [UInt8]) -> [UInt8] {
            Array("TZif2".utf8) + Array(repeating: 0, count: 15) + counts.flatMap { [0, 0, 0, $0] }
        }
        let types: [UInt8] = [0, 0, 0x0e, 0x10, 0, 0, 0, 0, 0x1c, 0x20, 1, 0]
        return header([0, 0, 0, 0, 1, 1]) + Array(repeating: 0, count: 7)
            + header([0, 0, 0, 1, 2, 4]) + change + [1] + types + [0x43, 0x45, 0x54, 0] + Array("\n\(rule)\n".utf8)
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-15T12:00:00", "2026-07-15T10:00:00Z"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-01-15T12:00:00", "2026-01-15T11:00:00Z"),
        // The southern summer, half an hour more, at 2 o'clock on the first Sunday of October and of April.
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-15T12:00:00", "2026-01-15T01:00:00Z"),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-07-15T12:00:00", "2026-07-15T01:30:00Z"),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-07-15T12:00:00", "2026-07-15T13:00:00Z"),
        ("IST-5:30", "2026-07-15T12:00:00", "2026-07-15T10:00:00Z"),
        ("", "2026-07-15T12:00:00", "2026-07-15T10:00:00Z"),
    ])
    func `behind the last change of a short file its rule holds`(
        _ rule: String, _ clock: String, _ moment: String
    ) throws {
        let zone = try #require(ZoneOffsetTable(zoneFile: Self.file(rule: rule)))
        #expect(Self.times([clock], zone: zone) == [Timestamp(moment)])
    }

    @Test func `a damaged file is no zone, and no bytes crash its reader`() {
        let whole = Self.file(rule: "CET-1CEST,M3.5.0,M10.5.0/3")
        for count in 0..<(whole.count - 29) { #expect(ZoneOffsetTable(zoneFile: Array(whole[..<count])) == nil) }
        for rule in ["CET", "CET-1CEST,J60,J300", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.5.0", "1", "<+01"] {
            #expect(ZoneOffsetTable(zoneFile: Self.file(rule: rule)) == nil, "\(rule)")
        }
        var random = SeededGenerator(seed: 32)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) { Mutation.apply(to: &bytes, using: &random) }
            if let zone = ZoneOffsetTable(zoneFile: bytes) { _ = Self.times(["2026-07-15T12:00:00"], zone: zone) }
        }
    }

    @Test func `a replayed file has the zone of the options`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/track.gpx"
            let text =
                "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2026-07-15T12:00:00</time></trkpt></trkseg></trk></gpx>"
            try write(Array(text.utf8), to: path)
            let zone = try #require(ZoneOffsetTable(name: "Europe/Berlin"))
            #expect(
                try replay(path, options: ReplayOptions(zone: zone)).fixes.map(\.time) == [
                    moment("2026-07-15T10:00:00Z")
                ])
            #expect(try replay(path).fixes.map(\.time) == [moment("2026-07-15T12:00:00Z")])
        }
    }
}
