import Testing
import TrackEngine
import TrackEngineFiles

/// Reads a document at once and in small pieces, which must give the same fixes and problems.
func read(
    _ bytes: [UInt8], as format: TrackFormat, sourceLocation: SourceLocation = #_sourceLocation
) -> TrackChunk {
    let whole = format.read(bytes)
    for length in [1, 3] {
        let (fixes, problems) = readInPieces(of: length, bytes, as: format)
        #expect(fixes == whole.fixes, "pieces of \(length)", sourceLocation: sourceLocation)
        #expect(problems == whole.problems, "pieces of \(length)", sourceLocation: sourceLocation)
    }
    return whole
}

func read(_ text: String, as format: TrackFormat, sourceLocation: SourceLocation = #_sourceLocation) -> TrackChunk {
    read(Array(text.utf8), as: format, sourceLocation: sourceLocation)
}

private func readInPieces(
    of length: Int, _ bytes: [UInt8], as format: TrackFormat
) -> (fixes: [Fix], problems: [SourceProblem]) {
    var reader = format.makeReader()
    var chunks: [TrackChunk] = []
    for start in stride(from: 0, to: bytes.count, by: length) {
        chunks.append(reader.read(Array(bytes[start..<min(bytes.count, start + length)])))
    }
    chunks.append(reader.finish())
    return (chunks.flatMap(\.fixes), chunks.flatMap(\.problems))
}

/// A document of generated records, as the format's writer makes it.
func document(_ format: TrackFormat, _ count: Int, seed: UInt64 = 3) -> [UInt8] {
    var track = GeneratedTrack(seed: seed, years: 2000...2020)
    var writer = format.makeWriter()
    var bytes: [UInt8] = []
    writer.begin(&bytes)
    for record in track.records(count, source: "a") { writer.append(record, to: &bytes) }
    writer.end(&bytes)
    return bytes
}

extension TrackChunk {
    /// The problems as `kind line: message`.
    var problemTexts: [String] {
        problems.map { "\($0.kind.rawValue) \($0.line.map(String.init) ?? "-"): \($0.message)" }
    }

    /// The latitudes of the fixes, which number them in these tests.
    var latitudes: [Double] { fixes.map(\.coordinate.latitude) }
}
