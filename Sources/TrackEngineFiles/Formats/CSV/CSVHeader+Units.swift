internal import TrackEngine

/// The units in a row after the header.
extension CSVHeader {
    /// Reads the units in a row after the header, and adds to ``defects``.
    ///
    /// | speed | latitude, longitude | the row has |
    /// |---|---|---|
    /// | any | `deg`, `[deg]` | units, if no cell begins with a digit |
    /// | `km/h` | empty, `-` | the same |
    /// | `km/h` | `degrés` | units; the unknown word is reported, and means degrees |
    /// | `100: gps` | `100: gps` | origins of the columns |
    ///
    /// - Returns: Whether it is such a row, or one with the origins of the columns: it has the same word for
    ///   latitude and longitude.
    mutating func takeUnits(_ record: Span<UInt8>) -> Bool {
        var cells: [[UInt8]] = []
        var fields = CSVFields(separator: separator)
        while let field = fields.next(in: record) { cells.append(CSVFields.text(of: field, in: record)) }
        func cell(of column: Column) -> [UInt8]? {
            columns.firstIndex { $0?.column == column }.flatMap { $0 < cells.count ? cells[$0] : nil }
        }
        guard let place = cell(of: .latitude), place == cell(of: .longitude), Double(written: place.span) == nil else {
            return false
        }
        let used = zip(cells, columns).compactMap { cell, meaning in meaning.map { (cell, $0.column.quantity) } }
        let isNamed = !Self.isBlank(place)
        guard used.contains(where: { Self.isUnit($0, $1) }) else { return isNamed }
        guard !used.contains(where: { Self.beginsWithDigit($0.0) }) else { return false }
        for (index, cell) in cells.enumerated() where index < columns.count && !Self.isBlank(cell) {
            takeUnit(cell, at: index)
        }
        return true
    }

    private mutating func takeUnit(_ cell: [UInt8], at index: Int) {
        guard let meaning = columns[index], meaning.scale == nil, meaning.column.quantity != .count else { return }
        if let scale = Self.words(of: cell).compactMap({ meaning.column.quantity.scale(of: $0.span) }).last {
            columns[index] = Entry(column: meaning.column, scale: scale == .one ? nil : scale, isUTC: meaning.isUTC)
            return
        }
        let unit = cell.filter { !CSVColumnHeader.brackets.contains($0) }.prefix(24)
        let name = String(decoding: unit, as: UTF8.self)
        defects.append("column \(index + 1): unit \(name): \(meaning.column.quantity.expectation)")
        // A place in another unit than degrees has a known word.
        if meaning.column != .latitude, meaning.column != .longitude { columns[index] = nil }
    }

    private static func words(of cell: [UInt8]) -> [[UInt8]] {
        cell.split(whereSeparator: \.isWhiteSpace).map { CSVColumnHeader.unit($0) }
    }

    /// Whether a cell is the unit of its column, and neither a value nor the name of its origin.
    private static func isUnit(_ cell: [UInt8], _ quantity: CSVQuantity) -> Bool {
        !beginsWithDigit(cell)
            && words(of: cell).contains { $0 != Array("gps".utf8) && quantity.scale(of: $0.span) != nil }
    }

    private static func beginsWithDigit(_ cell: [UInt8]) -> Bool {
        cell.first { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }.map { $0 &- UInt8(ascii: "0") < 10 } ?? false
    }

    private static func isBlank(_ cell: [UInt8]) -> Bool { cell.isEmpty || CSVRow.isUnknown(cell.span) }
}
