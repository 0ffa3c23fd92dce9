import Testing
import TrackEngine
import TrackEngineFiles

/// Lines that end with LF, CR LF or, as on old systems, CR alone.
@Suite struct LineEndTests {
    private static func text(_ format: TrackFormat) -> String {
        String(decoding: document(format, 20), as: UTF8.self).replacing("\r\n", with: "\n")
    }

    @Test(arguments: TrackFormat.allCases)
    func `lines that end with CR alone are lines`(_ format: TrackFormat) {
        let text = Self.text(format)
        let chunk = read(text.replacing("\n", with: "\r"), as: format)
        #expect(chunk.fixes == format.read(Array(text.utf8)).fixes)
        #expect(chunk.fixes.count == 20)
        #expect(chunk.problems.isEmpty)
    }

    @Test(arguments: TrackFormat.allCases)
    func `a document whose lines end with CR alone is recognised, also behind comments`(_ format: TrackFormat) {
        let text = Self.text(format)
        let isMarkup = text.hasPrefix("<")
        let sample = Array(((isMarkup ? "" : "# made by hand\n\n") + text).replacing("\n", with: "\r").utf8)
        let found = TrackFormat(sample: sample.span)
        #expect(found == format)
    }

    @Test(arguments: [TrackFormat.csv, .nmea, .ndjson], ["\n", "\r\n", "\r"])
    func `a problem has the line that an editor shows`(_ format: TrackFormat, _ end: String) {
        var lines = Self.text(format).split(separator: "\n").map(String.init)
        for place in [3, 5, 9] { lines[place] = "nonsense" }
        let chunk = read(lines.joined(separator: end) + end, as: format)
        #expect(chunk.problems.map(\.line) == [4, 6, 10])
        #expect(chunk.problems.allSatisfy { $0.kind == .malformed })
    }

    @Test func `all three ends may be mixed, and none makes a line of its own`() {
        let chunk = read("time,lat,lon\r1772359200,1,2\r\n1772359201,2,2\nx\r\rx\n\nx\r\n\r\nx", as: .csv)
        #expect(chunk.latitudes == [1, 2])
        #expect(chunk.problems.map(\.line) == [4, 6, 8, 10])
    }

    @Test(arguments: [TrackFormat.csv, .nmea, .ndjson])
    func `a line of CR alone that is too long costs that line`(_ format: TrackFormat) {
        var lines = Self.text(format).split(separator: "\n").map(String.init)
        let fixes = format.read(Array((lines.joined(separator: "\n") + "\n").utf8)).fixes
        lines.insert(String(repeating: "x", count: 70_000), at: 2)
        let chunk = format.read(Array((lines.joined(separator: "\r") + "\r").utf8))
        #expect(chunk.problems.map(\.kind) == [.oversized])
        #expect(chunk.problems.map(\.line) == [3])
        #expect(chunk.fixes == fixes)
    }
}
