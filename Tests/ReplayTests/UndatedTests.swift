import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Fixes of a receiver that does not know the date yet.
@Suite struct UndatedTests {
    private static let dates = ["1970-01-01", "1899-12-30", "1980-01-06", "1980-01-01", "2000-01-01", "1989-12-31"]

    private static func table(_ times: [String]) -> String {
        "time,lat,lon\n" + times.map { "\($0),48.5,9.5\n" }.joined()
    }

    private static func read(_ text: String, named name: String = "a.csv") async throws -> ReplayChunk {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array(text.utf8), to: directory + "/" + name)
            return try replay(directory + "/" + name)
        }
    }

    private static let good = ["2026-03-01T10:00:00Z", "2026-03-01T10:00:01Z"]

    @Test(arguments: dates)
    func `they make no day among others, wherever they stand, and are reported`(_ date: String) async throws {
        let wrong = ["\(date)T00:00:05Z", "\(date)T23:59:00Z"]
        for times in [wrong + Self.good, Self.good + wrong, [Self.good[0]] + wrong + [Self.good[1]]] {
            let chunk = try await Self.read(Self.table(times))
            #expect(chunk.fixes.map(\.time) == Self.good.map { moment($0) })
            #expect(chunk.problems.map(\.kind) == [.incomplete])
            #expect(chunk.problems.first?.message.hasPrefix("2 positions dated \(date)") == true)
        }
    }

    @Test func `tracks stay what they were without them`() async throws {
        func track(_ times: [String]) -> String {
            let points = times.map { "<trkpt lat=\"48.5\" lon=\"9.5\"><time>\($0)</time></trkpt>" }
            return "<trk><trkseg>\(points.joined())</trkseg></trk>\n"
        }
        let tracks = [["1980-01-06T00:00:00Z", "2026-03-02T10:00:00Z"], ["1980-01-06T00:00:00Z"], Self.good]
        let chunk = try await Self.read("<gpx>\n" + tracks.map(track).joined() + "</gpx>\n", named: "a.gpx")
        #expect(chunk.fixes.map(\.time) == (Self.good + ["2026-03-02T10:00:00Z"]).map { moment($0) })
        #expect(chunk.problems.count == 1)
    }

    @Test func `a log has them reported, too`() async throws {
        let log = ["060180", "010326", "010100", "010326"].enumerated().map {
            sentence("GPRMC,10000\($0.offset),A,4807.038,N,01131.000,E,,,\($0.element),,,A")
        }
        let chunk = try await Self.read(log.joined(), named: "a.nmea")
        #expect(chunk.fixes.map(\.time) == [moment("2026-03-01T10:00:01Z"), moment("2026-03-01T10:00:03Z")])
        #expect(chunk.problems.count == 2)
    }

    @Test func `a file of such days alone, or of those around them, is read as it is`() async throws {
        for times in [
            ["1980-01-06T10:00:00Z", "1980-01-06T10:00:01Z"],
            ["1999-12-30T10:00:00Z", "2000-01-01T00:00:00Z", "2000-01-02T20:00:00Z"],
            ["2000-01-01T10:00:00Z", "2000-01-03T10:00:00Z"],
        ] {
            let chunk = try await Self.read(Self.table(times))
            #expect(chunk.fixes.map(\.time) == times.map { moment($0) })
            #expect(chunk.problemTexts == [])
        }
    }
}
