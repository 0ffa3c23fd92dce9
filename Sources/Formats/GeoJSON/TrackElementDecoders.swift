internal import TrackEngine

/// Turns track objects into fixes.
struct TrackElementParser: JSONElementParser, LineParser {
    /// The largest object that is taken: an Overland feature has some 500 bytes.
    static let maximumLength = 65_536

    private let names = TrackElement.names
    private var origin = TimeOrigin()

    mutating func parse(_ element: Span<UInt8>, line: Int, into chunk: inout TrackChunk) {
        guard let found = TrackElement(element, names: names) else {
            return chunk.report(.malformed, line: line, "expected a JSON object")
        }
        switch found.fix() {
        case .success(let fix) where found.hasNumericTime && !origin.accepts(fix.time):
            chunk.report(.malformed, line: line, TimeOrigin.expectation)
        case .success(let fix): chunk.fixes.append(fix)
        case .failure(let refusal): chunk.report(refusal.kind, line: line, refusal.message)
        }
    }

    /// One object a line.
    mutating func parse(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        guard !line.trimmedRange.isEmpty, line[0] != UInt8(ascii: "#") else { return }
        parse(line, line: number, into: &chunk)
    }

    mutating func finish(into chunk: inout TrackChunk) {}
}

/// Reads GeoJSON (RFC 7946) whose features are points with a time, and Overland bodies, which are the same with another
/// envelope: one document, or any number of documents or features after each other.
///
/// Whatever the size of the document, no more than one feature is held.
struct GeoJSONDecoder: TrackDecoder {
    private var elements = JSONElementSplitter(maximumLength: TrackElementParser.maximumLength)
    private var parser = TrackElementParser()

    mutating func decode(_ bytes: Span<UInt8>, into chunk: inout TrackChunk) {
        elements.push(bytes, to: &parser, into: &chunk)
    }

    mutating func finish(into chunk: inout TrackChunk) {
        elements.finish(to: &parser, into: &chunk)
    }
}
