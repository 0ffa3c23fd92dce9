import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// What readers make of documents that were cut, patched together or saved by a program with habits of its own.
@Suite("Damaged and odd documents")
struct DamagedDocumentTests {
    private static func track(_ format: TrackFormat, _ count: Int = 20) -> [UInt8] {
        var track = GeneratedTrack(seed: 3, years: 2000...2020)
        var writer = format.makeWriter()
        var bytes: [UInt8] = []
        writer.begin(&bytes)
        for record in track.records(count, source: "a") { writer.append(record, to: &bytes) }
        writer.end(&bytes)
        return bytes
    }

    @Test(arguments: TrackFormat.allCases)
    func `a document cut anywhere gives the fixes before the cut, and no other`(_ format: TrackFormat) {
        let bytes = Self.track(format)
        let whole = format.read(bytes).fixes
        var longest = 0
        let step = TestEnvironment.isOptimised ? 1 : 5
        for length in stride(from: (bytes.count - 1) % step, to: bytes.count, by: step) {
            let chunk = format.read(Array(bytes[..<length]))
            // The last one may be of half a record, or none, as in "-": a line needs no end, a fix no second sentence.
            let certain = chunk.fixes.dropLast()
            #expect(certain.elementsEqual(whole.prefix(certain.count)), "cut at \(length)")
            #expect(chunk.fixes.count >= longest - 1, "cut at \(length)")
            #expect(chunk.problems.count <= 2, "cut at \(length): \(chunk.problems)")
            longest = max(longest, chunk.fixes.count)
        }
        #expect(longest == whole.count)
    }

    @Test(arguments: [TrackFormat.gpx, .kml, .geojson])
    func `what is cut by its syntax says so`(_ format: TrackFormat) {
        let bytes = Self.track(format)
        let chunk = format.read(Array(bytes.dropLast(bytes.count / 3)))
        #expect(chunk.problems.map(\.kind) == [.malformed])
        #expect(chunk.problems.first?.message.contains("cut") == true)
    }

    @Test(
        arguments: TrackFormat.allCases.filter { $0 != .kml })
    func `the middle missing costs one fix or two, and what follows is read`(_ format: TrackFormat) {
        let bytes = Self.track(format, 40)
        let whole = Set(format.read(bytes).fixes)
        let hole = bytes.count / 2
        let chunk = format.read(Array(bytes[..<hole] + bytes[(hole + 40)...]))
        #expect(chunk.fixes.count >= 37)
        #expect(chunk.fixes.count(where: { !whole.contains($0) }) <= 2)
    }

    /// KML has all times of a track before all its places, so that a hole may cost all of the track (``KMLTrackTests``).
    @Test
    func `a hole in a KML track costs no fix of another track, wherever it is`() throws {
        let bytes = Self.track(.kml, 40)
        let text = String(decoding: bytes, as: UTF8.self)
        let fixes = TrackFormat.kml.read(bytes).fixes
        let starts = text.ranges(of: "<gx:Track>").map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
        let tracks = zip(starts, starts.dropFirst() + [bytes.count]).map { $0..<$1 }
        #expect(tracks.count > 5)
        let step = TestEnvironment.isOptimised ? 7 : 31
        for hole in stride(from: try #require(starts.first), to: bytes.count - 40, by: step) {
            let gap = hole..<(hole + 40)
            var (rest, first) = (Set<Fix>(), 0)
            for track in tracks {
                let part = String(decoding: bytes[track], as: UTF8.self)
                let count = part.ranges(of: "<gx:coord>").count
                if !track.overlaps(gap) { rest.formUnion(fixes[first..<(first + count)]) }
                first += count
            }
            let chunk = TrackFormat.kml.read(Array(bytes[..<gap.lowerBound] + bytes[gap.upperBound...]))
            #expect(rest.isSubset(of: chunk.fixes), "hole at \(hole)")
        }
    }

    @Test(arguments: TrackFormat.allCases)
    func `LF, CR LF and both give the same fixes, and the lines of problems count on`(_ format: TrackFormat) {
        let text = String(decoding: Self.track(format), as: UTF8.self).replacing("\r\n", with: "\n")
        let expected = format.read(Array(text.utf8)).fixes
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let mixed = lines.enumerated().map { $0.element + ($0.offset % 2 == 0 ? "\r\n" : "\n") }.joined()
        #expect(expected.count == 20)
        #expect(format.read(Array(text.replacing("\n", with: "\r\n").utf8)).fixes == expected)
        #expect(format.read(Array(mixed.utf8)).fixes == expected)
    }

    @Test(
        arguments: [TrackFormat.csv, .nmea, .ndjson, .geojson])
    func `a line or object that is too long is reported with its line, and the next one is read`(_ format: TrackFormat)
        throws
    {
        var lines = String(decoding: Self.track(format), as: UTF8.self).replacing("\r\n", with: "\n")
            .split(separator: "\n").map(String.init)
        let fixes = format.read(Array((lines.joined(separator: "\n") + "\n").utf8)).fixes
        let filler = String(repeating: "x", count: format == .geojson ? 4_200_000 : 70_000)
        lines.insert(format == .geojson ? "{\"note\":\"\(filler)\"}," : filler, at: 4)
        let chunk = format.read(Array((lines.joined(separator: "\n") + "\n").utf8))
        #expect(chunk.problems.map(\.kind) == [.oversized])
        #expect(chunk.problems.first?.line == 5)
        #expect(chunk.fixes == fixes)
    }

    @Test(arguments: TrackFormat.allCases)
    func `a byte order mark of UTF-8 is passed over, however it is cut`(_ format: TrackFormat) {
        let bytes = Self.track(format)
        let marked: [UInt8] = [0xef, 0xbb, 0xbf] + bytes
        let chunk = format.read(marked)
        #expect(chunk.fixes == format.read(bytes).fixes)
        #expect(chunk.problems.isEmpty)
        let found = TrackFormat(sample: marked.span)
        #expect(found == format)
        var reader = format.makeReader()
        var fixes: [Fix] = []
        for byte in marked { fixes += reader.read([byte]).fixes }
        fixes += reader.finish().fixes
        #expect(fixes == chunk.fixes)
    }

    @Test(arguments: TrackFormat.allCases)
    func `a document in UTF-16 without its mark gives a problem and no fix`(_ format: TrackFormat) {
        let chunk = format.read(Self.track(format).flatMap { [$0, 0] })
        #expect(chunk.fixes.isEmpty)
        #expect(!chunk.problems.isEmpty)
    }

    @Test
    func `letters of another encoding in a column that does not count do no harm`() throws {
        let bytes = Self.track(.csv)
        let name = try #require(bytes.firstRange(of: Array(",a,".utf8)))
        var latin = bytes
        latin.replaceSubrange((name.lowerBound + 1)..<(name.lowerBound + 2), with: [0xfc, 0xdf])  // "üß" in Latin-1
        #expect(TrackFormat.csv.read(latin).fixes == TrackFormat.csv.read(bytes).fixes)
    }

    @Test(arguments: TrackFormat.allCases)
    func `an empty document has no fixes`(_ format: TrackFormat) {
        for text in ["", "\n", "\r\n\r\n  "] {
            #expect(format.read(Array(text.utf8)).fixes.isEmpty)
        }
        let found = TrackFormat(sample: [UInt8]().span)
        #expect(found == nil)
    }
}
