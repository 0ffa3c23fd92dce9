import TrackEngine
import TrackEngineFiles

/// Decodes bytes as one format, cut into pieces of a length, or all at once.
func decode(_ bytes: [UInt8], as format: ReplayFormat, pieces length: Int? = nil, day: Int64? = nil) -> TrackChunk {
    var chunk = TrackChunk()
    var decoder = format.makeDecoder(day: day)
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + (length ?? bytes.count))
        decoder.decode(bytes.span.extracting(start..<end), into: &chunk)
        start = end
    }
    decoder.finish(into: &chunk)
    return chunk
}

func decode(_ text: String, as format: ReplayFormat, day: Int64? = nil) -> TrackChunk {
    decode(Array(text.utf8), as: format, day: day)
}

/// Decodes bytes whose first piece ends at a place of one's choice.
func decode(_ bytes: [UInt8], as format: ReplayFormat, cutAt cut: Int) -> TrackChunk {
    var chunk = TrackChunk()
    var decoder = format.makeDecoder()
    decoder.decode(bytes.span.extracting(0..<cut), into: &chunk)
    decoder.decode(bytes.span.extracting(cut..<bytes.count), into: &chunk)
    decoder.finish(into: &chunk)
    return chunk
}

/// An NMEA sentence with `$`, checksum and line end.
func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(sum < 16 ? "0" : "")\(digits)\r\n"
}

func moment(_ text: String) -> Timestamp? { Timestamp(rfc3339: text) }

extension TrackChunk {
    /// The problems as `kind line: message`.
    var problemTexts: [String] {
        problems.map { "\($0.kind.rawValue) \($0.line.map(String.init) ?? "-"): \($0.message)" }
    }
}

extension ReplayChunk {
    /// The problems as `kind line: message`.
    var problemTexts: [String] { track.problemTexts }
}
