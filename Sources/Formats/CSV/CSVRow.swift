internal import TrackEngine

/// The values of one record.
struct CSVRow {
    private var time: Timestamp?
    private var numbers = InlineArray<15, Double?>(repeating: nil)

    private subscript(column: CSVColumns.Column) -> Double? { numbers[column.rawValue] }

    /// Reads the fields; returns what was expected instead of the first one that is wrong.
    mutating func read(_ record: Span<UInt8>, _ columns: CSVColumns) -> String? {
        var fields = CSVFields(separator: columns.separator)
        var index = 0
        while let field = fields.next(in: record) {
            defer { index += 1 }
            guard let meaning = columns[index] else { continue }
            let inner = record.extracting(field.range)
            let text = inner.extracting(inner.trimmedRange)
            guard text.count > 0 else { continue }
            if meaning.column == .time {
                guard let moment = Self.moment(text, meaning.scale) else {
                    return "expected the time as RFC 3339 or since 1970"
                }
                time = moment
            } else {
                guard let number = Double(decimal: text) else { return "\(meaning.column): expected a number" }
                numbers[meaning.column.rawValue] = meaning.scale?.applied(to: number) ?? number
            }
        }
        return nil
    }

    private static func moment(_ text: Span<UInt8>, _ scale: CSVScale?) -> Timestamp? {
        if let moment = Timestamp(text: text) { return moment }
        return Double(decimal: text).flatMap { Timestamp(unixNumber: scale?.applied(to: $0) ?? $0) }
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
