internal import TrackEngine

/// Reads CSV with a header line (RFC 4180; comma, semicolon or tab), one fix a record.
///
/// Times are RFC 3339, or seconds or milliseconds since 1970. Empty fields and negative accuracies, speeds and courses
/// are unknown. Lines before the header that begin with `#` are comments. A heading may name the unit (``CSVHeading``).
struct CSVParser: LineParser {
    /// The longest record that is taken.
    static let maximumLineLength = 16_384

    /// What has been read.
    private enum Stage {
        /// No header yet.
        case header
        /// Records follow.
        case records(CSVColumns)
        /// The header was none: nothing can be read.
        case stopped
    }

    private var stage = Stage.header
    /// The start of a record whose quoted field goes on in the next line, and the line of that start.
    private var open: (bytes: [UInt8], line: Int)?

    mutating func parse(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        if open == nil, !Self.hasOddQuotes(line) {
            return record(line, number: number, into: &chunk)
        }
        var whole = open ?? ([], number)
        if open != nil { whole.bytes.append(0x0a) }
        line.withUnsafeBufferPointer { whole.bytes.append(contentsOf: $0) }
        open = nil
        if whole.bytes.count > Self.maximumLineLength {
            chunk.report(
                .oversized, line: whole.line, "expected a closing quote within \(Self.maximumLineLength) bytes")
        } else if Self.hasOddQuotes(whole.bytes.span) {
            open = whole
        } else {
            record(whole.bytes.span, number: whole.line, into: &chunk)
        }
    }

    mutating func finish(into chunk: inout TrackChunk) {
        if let open { chunk.report(.malformed, line: open.line, "expected a closing quote") }
        if case .header = stage { chunk.report(.malformed, CSVColumns.expectation) }
    }

    private static func hasOddQuotes(_ line: Span<UInt8>) -> Bool {
        guard line.offset(of: UInt8(ascii: "\""), from: 0) != nil else { return false }
        var isOdd = false
        for index in 0..<line.count where line[index] == UInt8(ascii: "\"") { isOdd.toggle() }
        return isOdd
    }

    private mutating func record(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        guard !line.trimmedRange.isEmpty else { return }
        switch stage {
        case .stopped: return
        case .header:
            guard line[0] != UInt8(ascii: "#") else { return }
            header(line, number: number, into: &chunk)
        case .records(let columns):
            var row = CSVRow()
            if let defect = row.read(line, columns) { return chunk.report(.malformed, line: number, defect) }
            row.deliver(line: number, into: &chunk)
        }
    }

    private mutating func header(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        let columns = CSVColumns(header: line)
        for defect in columns?.defects ?? [] { chunk.report(.malformed, line: number, defect) }
        if let columns, columns.isComplete {
            stage = .records(columns)
        } else {
            stage = .stopped
            chunk.report(.malformed, line: number, CSVColumns.expectation)
        }
    }
}
