/// A value of a row; texts and blobs are slices of the page.
package enum ColumnValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
}

/// Reads rows in SQLite's record format (file format, section 2.1). A decoder reuses its memory for the next row.
package struct RowDecoder {
    /// The maximum number of columns of a table.
    private static let mostColumns = 32

    package private(set) var values: [ColumnValue] = []

    package init() {}

    /// Reads a row into ``values``; returns whether all of the bytes form a row.
    package mutating func decode(_ row: UnsafeRawBufferPointer) -> Bool {
        values.removeAll(keepingCapacity: true)
        guard let (headLength, size) = FileFormat.variable(row, at: 0), headLength >= Int64(size),
            headLength <= Int64(row.count)
        else { return false }
        var head = size
        var body = Int(headLength)
        while head < Int(headLength) {
            guard values.count < Self.mostColumns, let (type, size) = FileFormat.variable(row, at: head),
                let (value, length) = Self.value(of: type, in: row, at: body)
            else { return false }
            values.append(value)
            head += size
            body += length
        }
        return head == Int(headLength) && body == row.count
    }

    private static func value(
        of type: Int64, in row: UnsafeRawBufferPointer, at offset: Int
    ) -> (ColumnValue, length: Int)? {
        switch type {
        case 0: return (.null, 0)
        case 1...6:
            let width = [1, 2, 3, 4, 6, 8][Int(type) - 1]
            return FileFormat.integer(row, at: offset, width: width).map { (.integer($0), width) }
        case 7:
            let bits = FileFormat.integer(row, at: offset, width: 8)
            return bits.map { (.real(Double(bitPattern: UInt64(bitPattern: $0))), 8) }
        case 8, 9: return (.integer(type - 8), 0)
        case 12...:
            let length = (type - 12) / 2
            guard length <= Int64(row.count - offset) else { return nil }
            let bytes = UnsafeRawBufferPointer(rebasing: row[offset..<offset + Int(length)])
            return (type % 2 == 0 ? .blob(bytes) : .text(bytes), Int(length))
        default: return nil  // 10 and 11 are reserved, less is no type
        }
    }
}
