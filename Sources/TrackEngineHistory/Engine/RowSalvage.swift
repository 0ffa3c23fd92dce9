import SQLiteAccess
import TrackEngine

/// Copies points and events from the pages of a damaged history. A row is known by the types of its columns.
struct RowSalvage {
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
    private struct Row {
        let table: String
        let key: Key
        let values: [DatabaseValue]
    }

    /// The beginning of the key of the points, and of that of the events.
    private struct Key: Comparable {
        let device: Int64
        let time: Int64

        static func < (left: Key, right: Key) -> Bool { (left.device, left.time) < (right.device, right.time) }
    }

    /// Copies the rows of a page.
    ///
    /// - Returns: whether the page is undamaged.
    mutating func take(_ number: UInt32, _ page: UnsafeRawBufferPointer, of pages: DatabasePages) throws -> Bool {
        var rows: [Int: Row] = [:]
        var isReadable = true
        let isWhole = try IndexPage.forEachCell(in: page) { cell in
            let isRow = try pages.whole(cell)?.withUnsafeBytes { try take($0, &rows[cell.index]) }
            if isRow != true { isReadable = false }
        }
        // A sealed row that opens has its own device and time.
        let inOrder = tables.seal == nil ? try ordered(rows, number, page, of: pages) : rows
        if inOrder.count < rows.count { hasMisplaced = true }
        for (_, row) in inOrder.sorted(by: { $0.key < $1.key }) { try insert(row) }
        return isWhole && isReadable
    }

    /// Returns whether the bytes are a row of any table.
    private mutating func take(_ row: UnsafeRawBufferPointer, _ found: inout Row?) throws -> Bool {
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
            found = Row(table: "point", key: Key(device: device, time: time), values: columns)
            return columns == values.map(DatabaseValue.init(copying:))
        case (5, .blob(let tag), .integer(let end)):
            guard case .blob(let contents) = values[4],
                let bytes = tables.opened(Array(contents), as: .event, device, time, end),
                let event = EventCodec.decode(bytes),
                tables.events.isKey(of: event, device, begin: time, tag: tag, end: end)
            else { return false }
            found = Row(
                table: "event", key: Key(device: device, time: time), values: values.map(DatabaseValue.init(copying:)))
        case (5, .blob(let tag), _):
            guard let lock else { return noteOther(isReadable: true) }
            guard case .blob(let contents) = values[4], lock.open(contents, tag: tag, of: device, time: time) != nil
            else { return noteOther(isReadable: false) }
            found = Row(
                table: "point", key: Key(device: device, time: time), values: values.map(DatabaseValue.init(copying:)))
        case _: break  // data that can be made again
        }
        return true
    }

    private mutating func noteOther(isReadable: Bool) -> Bool {
        hasOther = true
        return isReadable
    }

    private mutating func insert(_ row: Row) throws {
        try insert(row.table, row.values)
        devices.insert(row.key.device)
        count += 1
        guard row.table == "point" else { return }
        // The names that senders gave: a text in plain, else a hash.
        let sender = tables.seal == nil ? row.values[row.values.count - 1] : row.values[3]
        switch (sender, tables.seal) {
        case (.text, nil), (.blob, _?): try insert("sender_id", [.integer(row.key.device), sender])
        case _: break
        }
    }

    /// Inserts a row, unless there is one with its key.
    private func insert(_ table: String, _ values: [DatabaseValue]) throws {
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try tables.db.execute(sql: "INSERT OR IGNORE INTO \(table) VALUES (\(marks))", arguments: values)
    }
}

// MARK: - Order

extension RowSalvage {
    /// Returns the rows of a page that are in order; the others have a damaged device or time.
    private mutating func ordered(
        _ rows: [Int: Row], _ number: UInt32, _ page: UnsafeRawBufferPointer, of pages: DatabasePages
    ) throws -> [Int: Row] {
        guard !rows.isEmpty else { return rows }
        let places = try places(of: rows, number, page, pages)
        let kept = Self.certain(places.map(\.key)).compactMap { places[$0].index }
        return rows.filter { kept.contains($0.key) }
    }

    /// The keys around, between and of the rows of a page, in the order of the tree, each with the place of its row on
    /// the page.
    private mutating func places(
        of rows: [Int: Row], _ number: UInt32, _ page: UnsafeRawBufferPointer, _ pages: DatabasePages
    ) throws -> [(key: Key, index: Int?)] {
        let around = try pages.neighbours(of: number)
        var places = key(of: around.before).map { [($0, Int?.none)] } ?? []
        let children = InteriorPage.children(of: page) ?? []
        for index in 0...max(rows.keys.max() ?? 0, children.count - 1) {
            if index < children.count {
                for isLast in [false, true] {
                    let others = try pages.rows(atEnd: isLast, below: children[index])
                    places += others.compactMap { key(of: $0) }.map { ($0, nil) }
                }
            }
            if let row = rows[index] { places.append((row.key, index)) }
        }
        if let after = key(of: around.after) { places.append((after, nil)) }
        return places
    }

    private mutating func key(of row: [UInt8]?) -> Key? {
        guard let row, row.withUnsafeBytes({ decoder.decode($0) }), decoder.values.count >= 5,
            case .integer(let device) = decoder.values[0], case .integer(let time) = decoder.values[1]
        else { return nil }
        return Key(device: device, time: time)
    }

    /// Returns the places of the keys that are in every longest sequence of keys in order: where any of some keys may be
    /// the damaged one, all are left out. At the end, the lowest of them is in order.
    private static func certain(_ keys: [Key]) -> [Int] {
        guard zip(keys, keys.dropFirst()).contains(where: >) else { return Array(keys.indices) }
        var until = [Int](repeating: 1, count: keys.count)
        var from = until
        for index in keys.indices {
            for other in 0..<index where keys[other] <= keys[index] {
                until[index] = max(until[index], until[other] + 1)
            }
        }
        for index in keys.indices.reversed() {
            for other in index + 1..<keys.count where keys[index] <= keys[other] {
                from[index] = max(from[index], from[other] + 1)
            }
        }
        let longest = until.max() ?? 0
        let usable = keys.indices.filter { until[$0] + from[$0] - 1 == longest }
        let groups = Dictionary(grouping: usable) { until[$0] }
        return groups.compactMap { length, places in
            places.count == 1 || length == longest ? places.last : nil
        }
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
