import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Formats that are read and not written, and those that are not even read.
@Suite struct ReadOnlyFormatTests {
    private static func point(_ content: String) -> String { "<Trackpoint>\(content)</Trackpoint>\n" }

    private static func place(_ latitude: Int) -> String {
        "<Position><LatitudeDegrees>\(latitude)</LatitudeDegrees><LongitudeDegrees>-2.5</LongitudeDegrees></Position>"
    }

    private static let time = "<Time>2026-03-01T10:00:00.500Z</Time>"

    private static func read(_ points: String, root: String = "Activities><Activity") -> TrackChunk {
        let ends = root.split(separator: "><").reversed().map { "</\($0)>" }.joined()
        return decode(
            "<?xml version=\"1.0\"?><TrainingCenterDatabase><\(root)><Lap StartTime=\"2026-03-01T10:00:00Z\"><Track>\n\(points)"
                + "</Track></Lap>\(ends)</TrainingCenterDatabase>", as: .tcx)
    }

    @Test func `every element of a TCX point that counts has its place`() throws {
        let chunk = Self.read(
            Self.point(
                Self.time + Self.place(1) + "<AltitudeMeters>40.5</AltitudeMeters><DistanceMeters>7</DistanceMeters>"
                    + "<HeartRateBpm><Value>90</Value></HeartRateBpm><Extensions><ns3:TPX><ns3:Speed>3.5</ns3:Speed>"
                    + "</ns3:TPX></Extensions>"))
        #expect(chunk.problemTexts == [])
        #expect(
            chunk.fixes == [
                Fix(
                    time: try #require(moment("2026-03-01T10:00:00.5Z")),
                    coordinate: Coordinate(latitude: 1, longitude: -2.5), altitude: 40.5, speed: 3.5)
            ])
    }

    @Test(arguments: [
        (time, "incomplete 2: Trackpoint"), (place(1), "incomplete 2: Trackpoint"),
        ("<Time>x</Time>" + place(1), "malformed 2: Trackpoint"),
    ])
    func `a TCX point without time or place is reported, and the next one read`(_ content: String, _ problem: String) {
        let chunk = Self.read(Self.point(content) + Self.point(Self.time + Self.place(2)))
        expectMessages(chunk.problemTexts, begin: [problem], as: content)
        #expect(chunk.fixes.map(\.coordinate.latitude) == [2])
    }

    @Test func `a planned course of TCX is no track`() {
        let chunk = Self.read(Self.point(Self.time + Self.place(1)), root: "Courses><Course")
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.map(\.kind) == [.incomplete])
    }

    @Test(
        arguments: [
            ([0x0e, 0x10, 0xd9, 7, 9, 0, 0, 0] + Array(".FIT".utf8) + [0, 0], "a.fit", "garmin_fit"),
            (Array("AXXX001 logger\r\nHFDTE010326\r\nB1000005231200N01324300EA0004000040\r\n".utf8), "a.igc", "igc"),
            ([0x28, 0xb5, 0x2f, 0xfd, 1, 2], "a.gpx.zst", "zstd"),
            ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "a.gpx.xz", "xz"),
            (Array("BZh91AY".utf8), "a.gpx.bz2", "bzip2"),
            (Array(#"[{"class":"VERSION"},{"class":"TPV","mode":3}]"#.utf8), "a.json", "jq -c '.[]'"),
            (Array("{\n  \"class\": \"TPV\",\n  \"mode\": 3\n}\n".utf8), "a.json", "jq -c '.'"),
        ] as [([UInt8], String, String)])
    func `what is not read is named, with what makes a file of it that is`(
        _ bytes: [UInt8], _ name: String, _ word: String
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            for name in [name, "track.gpx", "no-name"] {
                try write(bytes, to: directory + "/" + name)
                let error = #expect(throws: ReplayError.self) { try ReplayFile(path: directory + "/" + name).next() }
                #expect(error?.code == .unknownFormat)
                #expect(error?.reason.contains(word) == true)
                #expect(error?.reason.contains("expected") == true)
            }
        }
    }
}
