internal import TrackEngine

/// The values of one record.
struct CSVRow {
    private var time: Timestamp?
    private var numbers = InlineArray<17, Double?>(repeating: nil)

    private subscript(column: CSVColumns.Column) -> Double? { numbers[column.rawValue] }

    /// Whether it has a position and a time.
    var isFix: Bool { time != nil && self[.latitude] != nil && self[.longitude] != nil }

    /// Reads the fields; returns what was expected instead of the first one that is wrong.
    mutating func read(_ record: Span<UInt8>, _ columns: CSVColumns, _ origin: inout TimeOrigin) -> String? {
        var fields = CSVFields(separator: columns.separator)
        var index = 0
        var (hasPoint, isTooLong) = (false, false)
        while let field = fields.next(in: record) {
            defer { index += 1 }
            let inner = record.extracting(field.range)
            let text = inner.extracting(inner.trimmedRange)
            guard text.count > 0 else { continue }
            if index >= columns.count { isTooLong = true }
            guard let meaning = columns[index] else { continue }
            if meaning.column == .latitude || meaning.column == .longitude {
                hasPoint = hasPoint || text.offset(of: UInt8(ascii: "."), from: 0) != nil
            }
            if let defect = set(meaning, text, &origin) { return defect }
        }
        // A comma for the decimal point makes two fields of a number, and a place of its whole degrees.
        return isTooLong && !hasPoint ? "expected \(columns.count) fields, and a point in latitude and longitude" : nil
    }

    private mutating func set(
        _ meaning: CSVColumns.Meaning, _ text: Span<UInt8>, _ origin: inout TimeOrigin
    ) -> String? {
        switch meaning.column {
        case .time: return setTime(text, meaning.scale, &origin)
        case .northSouth: return setSign(.northSouth, Self.sign(text, "N", "S"), "expected N or S")
        case .eastWest: return setSign(.eastWest, Self.sign(text, "E", "W"), "expected E or W")
        case let column:
            guard let number = Double(decimal: text) else { return "\(column): expected a number" }
            numbers[column.rawValue] = meaning.scale?.applied(to: number) ?? number
            return nil
        }
    }

    private mutating func setSign(_ column: CSVColumns.Column, _ sign: Double?, _ expectation: String) -> String? {
        numbers[column.rawValue] = sign
        return sign == nil ? "\(column): \(expectation)" : nil
    }

    /// The sign that a letter gives, or a word that begins with it.
    private static func sign(_ text: Span<UInt8>, _ positive: Unicode.Scalar, _ negative: Unicode.Scalar) -> Double? {
        let letter = text[0].lowercasedASCII
        if letter == UInt8(ascii: positive).lowercasedASCII { return 1 }
        return letter == UInt8(ascii: negative).lowercasedASCII ? -1 : nil
    }

    /// A number of degrees; beside a hemisphere of the south or west it is negative, with a sign or without.
    private func degrees(_ column: CSVColumns.Column, _ hemisphere: CSVColumns.Column) -> Double? {
        guard let value = self[column], let sign = self[hemisphere], sign < 0 else { return self[column] }
        return -value.magnitude
    }

    private mutating func setTime(_ text: Span<UInt8>, _ scale: CSVScale?, _ origin: inout TimeOrigin) -> String? {
        time = Timestamp(text: text)
        if time != nil { return nil }
        guard let number = Double(decimal: text),
            let moment = Timestamp(unixNumber: scale?.applied(to: number) ?? number)
        else { return "expected the time as RFC 3339 or since 1970" }
        guard origin.accepts(moment) else { return TimeOrigin.expectation }
        time = moment
        return nil
    }

    func deliver(line: Int, into chunk: inout TrackChunk) {
        guard let latitude = degrees(.latitude, .northSouth), let longitude = degrees(.longitude, .eastWest) else {
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
