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
/// kept, up to the maximum length. Longer lines are skipped and reported.
struct LineSplitter {
    private enum Line {
        /// No bytes, or the start of a line, are in `kept`.
        case open
        /// The line has exceeded the maximum length: the rest of it is skipped.
        case oversized
    }

    private let maximumLength: Int
    private var kept: [UInt8] = []
    private var line = Line.open
    private var number = 1
    /// Whether the previous piece ended with a CR, so that an LF at the beginning of this one belongs to it.
    private var endedWithReturn = false

    /// - Parameter maximumLength: The longest accepted line, in bytes without its end.
    init(maximumLength: Int) {
        self.maximumLength = maximumLength
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
        keep(bytes.extracting(start..<bytes.count), into: &chunk)
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
        case .open where kept.isEmpty:
            guard tail.count <= maximumLength else { return reportOversized(into: &chunk) }
            parser.parse(tail, number: number, into: &chunk)
        case .open:
            keep(tail, into: &chunk)
            if case .oversized = line {
                line = .open
            } else {
                parser.parse(kept.span, number: number, into: &chunk)
                kept.removeAll(keepingCapacity: true)
            }
        }
    }

    private mutating func keep(_ part: Span<UInt8>, into chunk: inout TrackChunk) {
        guard case .open = line, !part.isEmpty else { return }
        if kept.count + part.count > maximumLength {
            kept.removeAll(keepingCapacity: true)
            line = .oversized
            reportOversized(into: &chunk)
        } else {
            part.withUnsafeBufferPointer { kept.append(contentsOf: $0) }
        }
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
