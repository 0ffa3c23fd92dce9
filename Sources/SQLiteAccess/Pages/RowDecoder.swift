/// A value of a row; texts and blobs are slices of the page.
package enum ColumnValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)

    /// -1 before another value, 1 behind it, else 0: no value, numbers, texts by their bytes, blobs (SQLite,
    /// "Datatypes", section 4.1).
    fileprivate func comparison(with other: ColumnValue) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
            left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
        case _: kind < other.kind ? -1 : kind > other.kind ? 1 : 0
        }
    }

    private var kind: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}

/// Reads rows in SQLite's record format (file format, section 2.1). A decoder reuses its memory for the next row.
package struct RowDecoder {
    /// The maximum number of columns of a table.
    private static let mostColumns = 32

    package private(set) var values: [ColumnValue] = []

    package init() {}

    /// Reads a row into ``values``; returns whether all of the bytes form a row.
    package mutating func decode(_ row: UnsafeRawBufferPointer) -> Bool { decode(row, isWhole: true) }

    /// Reads a row, or the columns that its first bytes hold.
    private mutating func decode(_ row: UnsafeRawBufferPointer, isWhole: Bool) -> Bool {
        values.removeAll(keepingCapacity: true)
        guard let (headLength, size) = FileFormat.variable(row, at: 0), headLength >= Int64(size),
            headLength <= Int64(row.count)
        else { return false }
        var head = size
        var body = Int(headLength)
        while head < Int(headLength) {
            guard values.count < Self.mostColumns, let (type, size) = FileFormat.variable(row, at: head) else {
                return false
            }
            guard let (value, length) = Self.value(of: type, in: row, at: body) else {
                return !isWhole && !values.isEmpty
            }
            values.append(value)
            head += size
            body += length
        }
        return head == Int(headLength) && (body == row.count || !isWhole)
    }

    /// Whether each row of an index, or of a table without row ids, comes before the next one. Of each row the first
    /// bytes suffice that hold its key.
    static func areInOrder(_ rows: [[UInt8]]) -> Bool {
        var (earlier, later) = (RowDecoder(), RowDecoder())
        return zip(rows, rows.dropFirst()).allSatisfy { left, right in
            left.withUnsafeBytes { left in
                right.withUnsafeBytes { right in
                    let areRows = earlier.decode(left, isWhole: false) && later.decode(right, isWhole: false)
                    let comparisons = zip(earlier.values, later.values).lazy.map { $0.comparison(with: $1) }
                    return areRows && comparisons.first { $0 != 0 } == -1
                }
            }
        }
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
