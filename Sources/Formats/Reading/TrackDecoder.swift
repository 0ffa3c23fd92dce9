internal import TrackEngine

/// Decodes one file format: bytes in pieces of any size go in, fixes and problems come out.
///
/// Pure: no clock, no input or output, bounded memory whatever the bytes are. The same bytes give the same fixes however
/// they are cut into pieces.
package protocol TrackDecoder: Sendable {
    /// Takes the next piece of the file.
    mutating func decode(_ bytes: Span<UInt8>, into chunk: inout TrackChunk)

    /// Yields what is still held and reports an incomplete end. Nothing is decoded after it.
    mutating func finish(into chunk: inout TrackChunk)
}

/// A decoder of a format whose unit is the line.
package struct LineDecoder<Parser: LineParser>: TrackDecoder {
    private var lines: LineSplitter
    private var parser: Parser

    /// A decoder at the start of a file.
    ///
    /// - Parameters:
    ///   - parser: takes the lines.
    ///   - maximumLength: the longest line that is taken, in bytes without its end.
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
