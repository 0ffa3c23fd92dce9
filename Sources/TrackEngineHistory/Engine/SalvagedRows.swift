import SQLiteAccess
import TrackEngine

/// Copies points and events from the pages of a damaged history. A row is known by the types of its columns.
struct SalvagedRows {
    let tables: HistoryTableSet
    private let lock: PointCipher?
    private var decoder = RowDecoder()
    /// The number of points and events that were copied.
    private(set) var count = 0
    /// The devices of these.
    private(set) var devices: Set<Int64> = []
    /// Whether there were points out of order.
    private(set) var hasMisplaced = false
    /// Whether there were points in plain where sealed ones were expected, or sealed ones that do not open.
    private var hasOther = false

    /// Whether nothing was found except points in another form, or under another key.
    var isOfOtherForm: Bool { count == 0 && hasOther }

    init(tables: HistoryTableSet) {
        self.tables = tables
        lock = tables.seal.map(PointCipher.init)
    }

    /// A row that may be copied.
    private struct Point {
        let device: Int64
        let time: Int64
        let values: [DatabaseValue]
    }

    /// Copies the rows of a page.
    ///
    /// - Parameter whole: returns a row with its parts on other pages.
    /// - Returns: whether the page is undamaged.
    mutating func take(_ page: UnsafeRawBufferPointer, whole: (LeafCell) throws -> [UInt8]?) throws -> Bool {
        var points: [Point] = []
        var isReadable = true
        let isWhole = try IndexPage.forEachCell(in: page) { cell in
            let row = cell.overflow == nil ? nil : try whole(cell)
            if cell.overflow != nil, row == nil {
                isReadable = false
                return
            }
            let isRow = try row?.withUnsafeBytes { try take($0, &points) } ?? take(cell.local, &points)
            if !isRow { isReadable = false }
        }
        // A sealed row that opens has its own time.
        let inOrder = tables.seal == nil ? Self.ordered(points) : points
        if inOrder.count < points.count { hasMisplaced = true }
        for point in inOrder { try insert(point) }
        return isWhole && isReadable
    }

    /// Returns whether the bytes are a row of any table.
    private mutating func take(_ row: UnsafeRawBufferPointer, _ points: inout [Point]) throws -> Bool {
        guard decoder.decode(row) else { return false }
        let values = decoder.values
        guard values.count >= 5, case .integer(let device) = values[0], case .integer(let time) = values[1] else {
            return true
        }
        switch (values.count, values[2], values[3]) {
        case (PointRow.columnCount + 3, .integer(let latitude), .integer(let longitude)):
            guard tables.seal == nil else { return noteOther(isReadable: true) }
            guard RowSearch.possible.contains(time), GridPosition(latitude, longitude) != nil else { return false }
            // What else is damaged costs no point, as in `PointRow.init(_:)`.
            var columns = values.map(DatabaseValue.init(copying:))
            for index in 4...14 where !values[index].isIntegerOrNull { columns[index] = .null }
            if columns[13] == .null { columns[13] = .integer(0) }
            points.append(Point(device: device, time: time, values: columns))
            return columns == values.map(DatabaseValue.init(copying:))
        case (5, .blob(let tag), .integer(let end)):
            guard case .blob(let contents) = values[4] else { return false }
            return try takeEvent(device, time, Array(tag), end, Array(contents))
        case (5, .blob(let tag), _):
            guard let lock else { return noteOther(isReadable: true) }
            guard case .blob(let contents) = values[4], lock.open(contents, tag: tag, of: device, time: time) != nil
            else { return noteOther(isReadable: false) }
            points.append(Point(device: device, time: time, values: values.map(DatabaseValue.init(copying:))))
        case _: break  // data that can be made again
        }
        return true
    }

    private mutating func noteOther(isReadable: Bool) -> Bool {
        hasOther = true
        return isReadable
    }

    private mutating func takeEvent(
        _ device: Int64, _ begin: Int64, _ tag: [UInt8], _ end: Int64, _ contents: [UInt8]
    ) throws -> Bool {
        guard let bytes = tables.opened(contents, as: .event, device, begin, end), EventCodec.decode(bytes) != nil
        else { return false }
        try insert(
            "event",
            [.integer(device), .integer(begin), .blob(tag), .integer(end), .blob(contents)])
        devices.insert(device)
        count += 1
        return true
    }

    private mutating func insert(_ point: Point) throws {
        try insert("point", point.values)
        devices.insert(point.device)
        count += 1
        // The names that senders gave: a text in plain, else a hash.
        let sender = tables.seal == nil ? point.values[point.values.count - 1] : point.values[3]
        switch (sender, tables.seal) {
        case (.text, nil), (.blob, _?): try insert("sender_id", [.integer(point.device), sender])
        case _: break
        }
    }

    /// Inserts a row, unless there is one with its key.
    private func insert(_ table: String, _ values: [DatabaseValue]) throws {
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try tables.db.execute(sql: "INSERT OR IGNORE INTO \(table) VALUES (\(marks))", arguments: values)
    }

    /// Returns the most points of a page that are in order; the others have a damaged device or time.
    private static func ordered(_ points: [Point]) -> [Point] {
        func isAfter(_ left: Point, _ right: Point) -> Bool { (left.device, left.time) > (right.device, right.time) }
        guard zip(points, points.dropFirst()).contains(where: isAfter) else { return points }
        // For each length, the last point of the sequence of that length that ends earliest.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: points.count)
        for index in points.indices {
            let length = ends.firstIndex { isAfter(points[$0], points[index]) } ?? ends.count
            before[index] = length > 0 ? ends[length - 1] : nil
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var found: [Point] = []
        var next = ends.last
        while let index = next {
            found.append(points[index])
            next = before[index]
        }
        return found.reversed()
    }
}

extension ColumnValue {
    fileprivate var isIntegerOrNull: Bool {
        switch self {
        case .integer, .null: true
        case .real, .text, .blob: false
        }
    }
}
