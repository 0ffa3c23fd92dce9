import Testing
import TrackEngine
import TrackEngineFiles

/// Documents of other programs that end too early, at every byte.
@Suite struct TruncationTests {
    /// Where each point of a document ends.
    private static func ends(_ format: TrackFormat, _ points: [Point]) -> [Int] {
        let separator = format == .geojson ? 2 : 1
        var end = PointDocument.frame(of: format).head.utf8.count
        return points.map { point in
            let last = end + PointDocument.line(format, point).utf8.count
            end = last + separator
            return last
        }
    }

    @Test(arguments: [TrackFormat.gpx, .kml, .geojson, .ndjson])
    func `exactly the points that are whole are fixes, wherever the document is cut`(_ format: TrackFormat) {
        let points = Point.numbered(6)
        let bytes = Array(PointDocument.text(format, points).utf8)
        let ends = Self.ends(format, points)
        for length in 0...bytes.count {
            let chunk = format.read(Array(bytes[..<length]))
            let expected = ends.prefix { $0 <= length }.indices.map { Double($0 + 1) }
            #expect(chunk.latitudes == expected, "cut at \(length)")
        }
    }

    @Test(arguments: [TrackFormat.gpx, .kml, .geojson, .ndjson])
    func `a cut within a point is one problem in the line of the point or of the end`(_ format: TrackFormat) {
        let points = Point.numbered(6)
        let bytes = Array(PointDocument.text(format, points).utf8)
        let hasHead = PointDocument.frame(of: format).head.isEmpty ? 0 : 1
        for (number, end) in Self.ends(format, points).enumerated() {
            for length in (end - PointDocument.line(format, points[number]).utf8.count + 1)..<end {
                let chunk = format.read(Array(bytes[..<length]))
                #expect(chunk.problems.map(\.line) == [number + 1 + hasHead], "cut at \(length)")
                #expect(chunk.problems.map(\.kind) == [.malformed], "cut at \(length)")
            }
        }
    }

    @Test func `a table cut within a row gives the rows before it, and of the row at most what it says`() {
        let points = Point.numbered(6)
        let bytes = Array(PointDocument.text(.csv, points).utf8)
        let latitudes = points.indices.map { Double($0 + 1) }
        for (number, end) in Self.ends(.csv, points).enumerated() {
            for length in (end - PointDocument.line(.csv, points[number]).utf8.count + 1)..<end {
                let chunk = TrackFormat.csv.read(Array(bytes[..<length]))
                #expect(chunk.latitudes.prefix(number) == latitudes.prefix(number), "cut at \(length)")
                #expect(chunk.fixes.count + chunk.problems.count == number + 1, "cut at \(length)")
                #expect(chunk.problems.allSatisfy { $0.line == number + 2 }, "cut at \(length)")
            }
        }
    }

    @Test(arguments: PointDocument.formats)
    func `a document that begins too late gives the points that are whole`(_ format: TrackFormat) {
        let points = Point.numbered(6)
        let lines = points.map { PointDocument.line(format, $0) }
        for start in stride(from: 1, to: lines[0].utf8.count, by: 3) {
            let text = String(lines[0].dropFirst(start)) + "\n" + lines.dropFirst().joined(separator: "\n") + "\n"
            let chunk = read(text, as: format)
            // A placemark is one by its end; a table without its header has no columns.
            let rest = chunk.latitudes.first == 1 && format == .kml ? chunk.latitudes.dropFirst() : chunk.latitudes[...]
            #expect(Array(rest) == (format == .csv ? [] : [2, 3, 4, 5, 6]), "from \(start)")
            #expect(!chunk.problems.isEmpty, "from \(start)")
        }
    }

    @Test(arguments: PointDocument.formats)
    func `two documents behind each other are both read, or what is passed over is reported`(_ format: TrackFormat) {
        let text = PointDocument.text(format, Point.numbered(3))
        let chunk = read(text + text, as: format)
        #expect(chunk.latitudes == [1, 2, 3, 1, 2, 3])
        #expect(chunk.problems.map(\.line) == (format == .csv ? [5] : []))
    }
}
