internal import TrackEngine

/// Reads CSV with a header line (RFC 4180; comma, semicolon or tab), one fix per record.
///
/// Times are RFC 3339 or one of the forms of ``TimeText``, with their own date or one in another column, or
/// numbers since 1970 (``TimeOrigin``). Empty fields, words such as `N/A`, and negative accuracies, speeds and
/// courses are unknown. If fields are separated by semicolons or tabs, numbers may have decimal commas. Lines before
/// the header are skipped. A heading, a row after it or a cell may contain the unit (``CSVColumnHeader``). A row is kept
/// without a value that cannot be read, except for its time and place.
///
/// A quoted field may extend over several lines. A quote that was not doubled or not closed is reported and affects
/// no other record: the lines that it would join are read separately.
struct CSVParser: LineParser {
    /// The longest accepted record, in bytes.
    static let maximumLineLength = 16_384

    /// The reading state.
    private enum Phase {
        /// No header yet.
        case header(Start)
        /// Records follow.
        case records(CSVHeader)
        /// No header was found: no record can be read.
        case stopped
    }

    /// The lines before the header.
    private struct Start {
        var count = 0
        /// The number of the first of these lines.
        var line: Int?
    }

    /// The largest number of lines before the header.
    static let maximumPreamble = 64

    /// A record with a quoted field that continues in the next line.
    private struct OpenRecord {
        /// Its lines so far, with a line feed between them.
        var bytes: [UInt8]
        /// The line in which the record begins.
        let line: Int
        var quotes: CSVLineState
    }

    private let zone: ZoneOffsetTable
    private let named: ZoneNames
    private var stage = Phase.header(Start())
    private var open: OpenRecord?
    private var origin = TimeOrigin()
    private var epoch = CSVEpoch()
    /// The number of rows after the header that may still contain units.
    private var unitRows = 0
    /// Whether commas have made several fields of the numbers of a row.
    private var hasSplitNumbers = false
    private var choice = TrackDeviceChoice()

    /// - Parameters:
    ///   - zone: of times that name none.
    ///   - named: finds the zones that a column names.
    init(zone: ZoneOffsetTable = .utc, named: @escaping ZoneNames = { _ in nil }) {
        self.zone = zone
        self.named = named
    }

    mutating func parse(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        if let held = open {
            open = nil  // so that it is not copied
            goOn(held, with: line, number: number, into: &chunk)
        } else if line.offset(of: CSVLineState.quote, from: 0) == nil {
            record(line, number: number, into: &chunk)
        } else {
            begin(line, number: number, into: &chunk)
        }
    }

    mutating func finish(into chunk: inout TrackChunk) {
        if let open { giveUp(open, .malformed, "expected a closing quote", into: &chunk) }
        if case .header(let preamble) = stage {
            chunk.report(.malformed, line: preamble.line, CSVHeader.expectation)
        }
    }

    // MARK: Records over several lines

    private mutating func begin(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        let quotes = quotes(of: line)
        guard quotes.isOpen else { return record(line, number: number, into: &chunk) }
        open = OpenRecord(bytes: line.copied(0..<line.count), line: number, quotes: quotes)
    }

    /// The quotes of a single line. They do not count where no record is read: in a comment, and without a header.
    private func quotes(of line: Span<UInt8>) -> CSVLineState {
        let separator: UInt8
        switch stage {
        case .stopped: return CSVLineState(separator: 0)
        case .header where line[0] == UInt8(ascii: "#"): return CSVLineState(separator: 0)
        case .header: separator = CSVHeader.separator(of: line)
        case .records(let columns): separator = columns.separator
        }
        var quotes = CSVLineState(separator: separator)
        quotes.scan(line)
        return quotes
    }

    /// Adds a line to a record with an open quote.
    ///
    /// The quote was a stray one, and the lines are separate records, if the line is a record by itself, or if the
    /// record that the next quote closes is invalid.
    private mutating func goOn(
        _ held: consuming OpenRecord, with line: Span<UInt8>, number: Int, into chunk: inout TrackChunk
    ) {
        guard held.bytes.count + 1 + line.count <= Self.maximumLineLength else {
            let expectation = "expected a closing quote within \(Self.maximumLineLength) bytes"
            giveUp(held, .oversized, expectation, into: &chunk)
            return parse(line, number: number, into: &chunk)
        }
        var quotes = held.quotes
        quotes.scan(line)
        guard !isRecord(line), quotes.isOpen || isWhole(quotes) else {
            giveUp(held, .malformed, "expected a closing quote", into: &chunk)
            return parse(line, number: number, into: &chunk)
        }
        held.quotes = quotes
        held.bytes.append(0x0a)
        line.withUnsafeBufferPointer { held.bytes.append(contentsOf: $0) }
        if quotes.isOpen {
            open = held
        } else {
            record(held.bytes.span, number: held.line, into: &chunk)
        }
    }

    /// Whether a line is a record, or a header, by itself. Small numbers occur in texts of any kind: a time counts
    /// from 1973 on.
    private func isRecord(_ line: Span<UInt8>) -> Bool {
        switch stage {
        case .stopped: return false
        case .header: return CSVHeader(header: line) != nil
        case .records(let columns):
            var (row, chunk, origin) = (CSVRow(zone: zone, named: named), TrackChunk(), self.origin)
            guard row.read(line, columns, &origin) == nil, row.unread == nil else { return false }
            row.deliver(line: 0, into: &chunk)
            return chunk.fixes.contains { $0.time >= TimeOrigin.earliest }
        }
    }

    /// Whether a record with closed quotes has as many fields as the header.
    private func isWhole(_ quotes: CSVLineState) -> Bool {
        guard !quotes.hasTextBehindField else { return false }
        switch stage {
        case .stopped, .header: return true
        case .records(let columns): return quotes.fieldCount == columns.count
        }
    }

    /// Reads the lines of a record with a stray quote separately.
    private mutating func giveUp(
        _ held: OpenRecord, _ kind: SourceProblem.Kind, _ expectation: String, into chunk: inout TrackChunk
    ) {
        chunk.report(kind, line: held.line, expectation)
        let bytes = held.bytes.span
        var (start, number) = (0, held.line)
        while start <= bytes.count {
            let end = bytes.offset(of: 0x0a, from: start) ?? bytes.count
            alone(bytes.extracting(start..<end), number: number, isReported: number == held.line, into: &chunk)
            (start, number) = (end + 1, number + 1)
        }
    }

    /// Reads a line as a separate record, regardless of its quotes; at most one problem is reported for a line.
    private mutating func alone(_ line: Span<UInt8>, number: Int, isReported: Bool, into chunk: inout TrackChunk) {
        let isOpen = line.count > 0 && quotes(of: line).isOpen
        if isOpen, !isReported { chunk.report(.malformed, line: number, "expected a closing quote") }
        guard isOpen, case .records = stage else { return record(line, number: number, into: &chunk) }
        var row = TrackChunk()
        record(line, number: number, into: &row)
        chunk.fixes += row.fixes
    }

    // MARK: Records

    private mutating func record(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        guard !line.trimmedRange.isEmpty else { return }
        switch stage {
        case .stopped: return
        case .header(let preamble):
            guard line[0] != UInt8(ascii: "#"), !Self.namesSeparator(line) else { return }
            header(line, number: number, behind: preamble, into: &chunk)
        case .records(let columns): row(line, columns, number: number, into: &chunk)
        }
    }

    /// Whether a line is the separator declaration that Excel writes and reads before the header: `sep=;`.
    private static func namesSeparator(_ line: Span<UInt8>) -> Bool {
        line.count == 5 && line.extracting(0..<4).equals("sep=")
    }

    private mutating func row(
        _ line: Span<UInt8>, _ columns: CSVHeader, number: Int, into chunk: inout TrackChunk
    ) {
        guard line.offset(of: 0, from: 0) == nil else {
            return chunk.report(.malformed, line: number, "expected no NUL: a part of the document is lost")
        }
        if unitRows > 0 {
            unitRows -= 1
            var named = columns
            if named.takeUnits(line) {
                for defect in named.defects { chunk.report(.malformed, line: number, defect) }
                return begin(named, number: number, into: &chunk)
            }
        }
        var row = CSVRow(zone: zone, named: named)
        let defect = row.read(line, columns, &origin, isOftenSplit: hasSplitNumbers)
        row.correct(&epoch)
        hasSplitNumbers = hasSplitNumbers || row.isSplit
        if !row.isFix, let other = CSVHeader(header: line), other.isComplete {
            stage = .records(other)  // its columns may have another order
            unitRows = 2
            return chunk.report(.malformed, line: number, "expected no second header: its columns count from here on")
        }
        if let defect { return chunk.report(.malformed, line: number, defect) }
        guard choice.takes(row.object, in: line, isFix: row.hasPosition, line: number, into: &chunk) else { return }
        row.deliver(line: number, into: &chunk)
    }

    private mutating func header(
        _ line: Span<UInt8>, number: Int, behind preamble: Start, into chunk: inout TrackChunk
    ) {
        guard let columns = CSVHeader(header: line) else {
            let passed = Start(count: preamble.count + 1, line: preamble.line ?? number)
            stage = .header(passed)
            if passed.count >= Self.maximumPreamble { stop(number: passed.line, into: &chunk) }
            return
        }
        for defect in columns.defects { chunk.report(.malformed, line: number, defect) }
        if columns.hasLocalTime, zone == .utc {
            chunk.report(.incomplete, line: number, "expected the zone of local times: they are taken for UTC")
        }
        unitRows = 2
        begin(columns, number: number, into: &chunk)
    }

    /// Continues with the columns, if they are complete.
    private mutating func begin(_ columns: CSVHeader, number: Int, into chunk: inout TrackChunk) {
        var columns = columns
        columns.forgetDefects()
        stage = .records(columns)
        if !columns.isComplete { stop(number: number, into: &chunk) }
    }

    private mutating func stop(number: Int?, into chunk: inout TrackChunk) {
        stage = .stopped
        chunk.report(.malformed, line: number, CSVHeader.expectation)
    }
}
