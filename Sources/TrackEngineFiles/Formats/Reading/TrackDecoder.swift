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
    package init(_ parser: Parser, maximumLength: Int) {
        self.parser = parser
        lines = LineSplitter(maximumLength: maximumLength)
    }

    package mutating func decode(_ bytes: Span<UInt8>, into chunk: inout TrackChunk) {
        lines.push(bytes, to: &parser, into: &chunk)
    }

    package mutating func finish(into chunk: inout TrackChunk) {
        lines.finish(to: &parser, into: &chunk)
    }
}
