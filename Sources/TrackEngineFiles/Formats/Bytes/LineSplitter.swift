internal import TrackEngine

/// Processes the lines of a file one after the other.
package protocol LineParser: Sendable {
    /// Processes a line without its end; the results go into `chunk`.
    mutating func parse(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk)

    /// Delivers held results, because there are no more lines.
    mutating func finish(into chunk: inout TrackChunk)
}

/// Splits a stream of bytes into lines that end with LF, CR LF or CR, independent of the pieces in which it arrives.
///
/// A line within one piece is passed on without a copy. The start of a line that continues in the next piece is
/// kept, up to the maximum length. Longer lines are cut before a boundary, if there is one for the format, and otherwise
/// skipped and reported.
struct LineSplitter {
    private enum Line {
        /// No bytes, or the start of a line, are in `kept`.
        case open
        /// The line has exceeded the maximum length: the rest of it is skipped.
        case oversized
    }

    private let maximumLength: Int
    private let boundary: UInt8?
    private var kept: [UInt8] = []
    private var line = Line.open
    private var number = 1
    /// Whether the previous piece ended with a CR, so that an LF at the beginning of this one belongs to it.
    private var endedWithReturn = false

    /// - Parameters:
    ///   - maximumLength: The longest accepted line, in bytes without its end.
    ///   - boundary: The byte before which a longer line is cut into several ones with the same number, unless it is a
    ///     comment, which begins with `#`.
    init(maximumLength: Int, boundary: UInt8? = nil) {
        self.maximumLength = maximumLength
        self.boundary = boundary
    }

    /// Passes every line that ends in this piece to the parser.
    mutating func push(_ bytes: Span<UInt8>, to parser: inout some LineParser, into chunk: inout TrackChunk) {
        var start = endedWithReturn && bytes.count > 0 && bytes[0] == 0x0a ? 1 : 0
        if bytes.count > 0 { endedWithReturn = false }
        var feed = bytes.offset(of: 0x0a, from: start) ?? bytes.count
        while start < bytes.count {
            let end = bytes.extracting(start..<feed).offset(of: 0x0d, from: 0).map { start + $0 } ?? feed
            guard end < bytes.count else { break }
            complete(bytes.extracting(start..<end), to: &parser, into: &chunk)
            start = end + 1
            if end < feed, start == feed { start += 1 }  // CR LF, or a CR that ends the piece
            if start > feed { feed = bytes.offset(of: 0x0a, from: start) ?? bytes.count }
        }
        guard start <= bytes.count else {
            endedWithReturn = true
            return
        }
        keep(bytes.extracting(start..<bytes.count), to: &parser, into: &chunk)
    }

    /// Passes on the last line, which may lack its end.
    mutating func finish(to parser: inout some LineParser, into chunk: inout TrackChunk) {
        if !kept.isEmpty { complete([UInt8]().span, to: &parser, into: &chunk) }
        parser.finish(into: &chunk)
    }

    private mutating func complete(
        _ tail: Span<UInt8>, to parser: inout some LineParser, into chunk: inout TrackChunk
    ) {
        defer { number += 1 }
        switch line {
        case .oversized:
            line = .open
        case .open where kept.isEmpty && tail.count <= maximumLength:
            parser.parse(tail, number: number, into: &chunk)
        case .open:
            keep(tail, to: &parser, into: &chunk)
            if case .oversized = line {
                line = .open
            } else {
                parser.parse(kept.span, number: number, into: &chunk)
                kept.removeAll(keepingCapacity: true)
            }
        }
    }

    private mutating func keep(_ part: Span<UInt8>, to parser: inout some LineParser, into chunk: inout TrackChunk) {
        guard case .open = line, !part.isEmpty else { return }
        var start = 0
        while kept.count + part.count - start > maximumLength {
            let end = start + maximumLength - kept.count
            append(part.extracting(start..<end))
            start = end
            guard cut(to: &parser, into: &chunk) else {
                kept.removeAll(keepingCapacity: true)
                line = .oversized
                return reportOversized(into: &chunk)
            }
        }
        append(part.extracting(start..<part.count))
    }

    private mutating func append(_ part: Span<UInt8>) {
        part.withUnsafeBufferPointer { kept.append(contentsOf: $0) }
    }

    /// Passes the kept bytes before the last boundary to the parser; false if there are none.
    private mutating func cut(to parser: inout some LineParser, into chunk: inout TrackChunk) -> Bool {
        guard let boundary, kept.first != UInt8(ascii: "#"), let end = kept.lastIndex(of: boundary), end > 0 else {
            return false
        }
        parser.parse(kept.span.extracting(0..<end), number: number, into: &chunk)
        kept.removeFirst(end)
        return true
    }

    private func reportOversized(into chunk: inout TrackChunk) {
        chunk.report(.oversized, line: number, "expected at most \(maximumLength) bytes in a line")
    }
}

extension Span<UInt8> {
    /// The end of the line that contains `start`: its LF or CR, or the end of the bytes.
    package func lineEnd(from start: Int) -> Int {
        let feed = offset(of: 0x0a, from: start) ?? count
        return extracting(min(start, feed)..<feed).offset(of: 0x0d, from: 0).map { start + $0 } ?? feed
    }
}
