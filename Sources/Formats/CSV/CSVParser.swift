internal import TrackEngine

/// Reads CSV with a header line (RFC 4180; comma, semicolon or tab), one fix a record.
///
/// Times are RFC 3339, or seconds or milliseconds since 1970. Empty fields and negative accuracies, speeds and courses
/// are unknown. Lines before the header that begin with `#` are comments.
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
            guard let columns = CSVColumns(header: line) else {
                stage = .stopped
                return chunk.report(.malformed, line: number, CSVColumns.expectation)
            }
            stage = .records(columns)
        case .records(let columns):
            var row = CSVRow()
            if let defect = row.read(line, columns) { return chunk.report(.malformed, line: number, defect) }
            row.deliver(line: number, into: &chunk)
        }
    }
}

/// The values of one record.
private struct CSVRow {
    private var time: Timestamp?
    private var numbers = InlineArray<15, Double?>(repeating: nil)

    private subscript(column: CSVColumns.Column) -> Double? { numbers[column.rawValue] }

    /// Reads the fields; returns what was expected instead of the first one that is wrong.
    mutating func read(_ record: Span<UInt8>, _ columns: CSVColumns) -> String? {
        var fields = CSVFields(separator: columns.separator)
        var index = 0
        while let field = fields.next(in: record) {
            defer { index += 1 }
            guard let column = columns[index] else { continue }
            let inner = record.extracting(field.range)
            let text = inner.extracting(inner.trimmedRange)
            guard text.count > 0 else { continue }
            if column == .time {
                guard let moment = Self.moment(text) else { return "expected the time as RFC 3339 or since 1970" }
                time = moment
            } else {
                guard let number = Double(decimal: text) else { return "\(column): expected a number" }
                numbers[column.rawValue] = number
            }
        }
        return nil
    }

    private static func moment(_ text: Span<UInt8>) -> Timestamp? {
        if let moment = Timestamp(text: text) { return moment }
        return Double(decimal: text).flatMap { Timestamp(unixNumber: $0) }
    }

    func deliver(line: Int, into chunk: inout TrackChunk) {
        guard let latitude = self[.latitude], let longitude = self[.longitude] else {
            return chunk.report(.incomplete, line: line, "expected a position")
        }
        guard let time else { return chunk.report(.incomplete, line: line, "expected a time") }
        chunk.fixes.append(
            Fix(
                time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude),
                altitude: self[.altitude], ellipsoidalAltitude: self[.ellipsoidalAltitude],
                horizontalAccuracy: self[.horizontalAccuracy], verticalAccuracy: self[.verticalAccuracy],
                speed: self[.speed], speedAccuracy: self[.speedAccuracy],
                course: self[.course].flatMap { $0 < 0 ? nil : $0 }, courseAccuracy: self[.courseAccuracy],
                horizontalDilution: self[.horizontalDilution].map { Float($0) },
                positionDilution: self[.positionDilution].map { Float($0) },
                satellitesUsed: self[.satellites].flatMap { UInt8(exactly: $0) },
                mode: self[.mode].flatMap { UInt8(exactly: $0) }.flatMap { Fix.Mode(rawValue: $0) }))
    }
}
