internal import TrackEngine

/// Decodes a file format: bytes in pieces of any size are the input, fixes and problems the output.
///
/// A pure value: no clock, no input or output, and bounded memory for any input. The same bytes give the same fixes,
/// independent of their division into pieces.
package protocol TrackDecoder: Sendable {
    /// Decodes the next piece of the file.
    mutating func decode(_ bytes: Span<UInt8>, into chunk: inout TrackChunk)

    /// Delivers held results and reports an incomplete end. No bytes are decoded afterwards.
    mutating func finish(into chunk: inout TrackChunk)
}

/// A decoder of a line-based format.
package struct LineDecoder<Parser: LineParser>: TrackDecoder {
    private var lines: LineSplitter
    private var parser: Parser

    /// A decoder at the start of a file.
    ///
    /// - Parameters:
    ///   - parser: The parser of the lines.
    ///   - maximumLength: The longest accepted line, in bytes without its end.
    ///   - boundary: The byte before which a longer line is cut; without it such a line is skipped.
    package init(_ parser: Parser, maximumLength: Int, boundary: UInt8? = nil) {
        self.parser = parser
        lines = LineSplitter(maximumLength: maximumLength, boundary: boundary)
    }

    package mutating func decode(_ bytes: Span<UInt8>, into chunk: inout TrackChunk) {
        lines.push(bytes, to: &parser, into: &chunk)
    }

    package mutating func finish(into chunk: inout TrackChunk) {
        lines.finish(to: &parser, into: &chunk)
    }
}
