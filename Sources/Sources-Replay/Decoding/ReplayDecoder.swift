/// Decodes one file format: bytes in pieces of any size go in, fixes and problems come out.
///
/// Pure: no clock, no input or output, bounded memory whatever the bytes are. The same bytes give the same fixes however
/// they are cut into pieces.
package protocol ReplayDecoder {
    /// Takes the next piece of the file.
    mutating func decode(_ bytes: Span<UInt8>, into chunk: inout ReplayChunk)

    /// Yields what is still held and reports an incomplete end. Nothing is decoded after it.
    mutating func finish(into chunk: inout ReplayChunk)
}

/// A decoder of a format whose unit is the line.
struct LineDecoder<Parser: LineParser>: ReplayDecoder {
    private var lines: LineSplitter
    private var parser: Parser

    init(_ parser: Parser, maximumLength: Int) {
        self.parser = parser
        lines = LineSplitter(maximumLength: maximumLength)
    }

    mutating func decode(_ bytes: Span<UInt8>, into chunk: inout ReplayChunk) {
        lines.push(bytes, to: &parser, into: &chunk)
    }

    mutating func finish(into chunk: inout ReplayChunk) {
        lines.finish(to: &parser, into: &chunk)
    }
}
