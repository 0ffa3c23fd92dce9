import SQLiteAccess
import TrackEngine

/// Copies the names of devices and sources from the pages of a damaged history.
struct NameSalvage {
    let pages: DatabasePages
    let tables: HistoryTableSet

    /// The first pages of a table and of its index: SQLite gives them in the order in which the tables are made, and
    /// moves none. Without a pointer map, which is page 2, each is the page before.
    private static let roots: [NamedTable.Kind: (table: UInt32, index: UInt32)] = [.device: (3, 4), .source: (5, 6)]
    /// The most pages of a tree that are read.
    private static let mostPages = 10_000

    /// Copies the names of a kind. A device that has rows but has lost its name has a placeholder for it, which no other device
    /// has, until its own name is added again.
    ///
    /// - Returns: whether all names could be read.
    func copy(_ kind: NamedTable.Kind, _ devices: Set<Int64>) throws -> Bool {
        guard var root = Self.roots[kind] else { return false }
        if try pages.lacksPointerMap() { root = (root.table - 1, root.index - 1) }
        var isWhole = true
        var isAnyLost = false
        var names: [Int64: String] = [:]
        var keys: [Int64: DatabaseValue] = [:]
        var unopened: [DatabaseValue] = []
        let table = NamedTable(kind: kind, tables: tables)
        try rows(below: root.table, &isWhole) { number, values in
            guard values.count == (tables.seal == nil ? 2 : 3), let value = values.last else { return }
            if tables.seal == nil {
                names[number] = value.string
            } else {
                names[number] = table.name(DatabaseValue(copying: value), of: number)
                keys[number] = DatabaseValue(copying: values[1])
                if names[number] == nil { unopened.append(DatabaseValue(copying: value)) }
            }
            if names[number] == nil { isAnyLost = true }
        }
        try rows(below: root.index, &isWhole) { _, values in
            guard values.count == 2, case .integer(let number) = values[1] else { return }
            if tables.seal == nil { names[number] = names[number] ?? values[0].string }
            keys[number] = keys[number] ?? DatabaseValue(copying: values[0])
        }
        // A row that has been exchanged with another one is sealed for that one's number.
        for number in keys.keys where names[number] == nil {
            names[number] = unopened.prefix(1_000).lazy.compactMap { table.name($0, of: number) }.first
        }
        for (number, name) in names {
            try insert(kind, number, name, name.hasPrefix(NamedTable.placeholder) ? keys[number] : nil)
        }
        guard kind == .device else { return isWhole && !isAnyLost }
        let lost = devices.subtracting(names.keys)
        // Where all names can be read, the number is damaged, and not its name.
        guard !isWhole || isAnyLost || names.isEmpty || tables.seal != nil else {
            for number in lost { try removeRows(of: number) }
            return lost.isEmpty
        }
        for number in lost.sorted() {
            let placeholder = "\(NamedTable.placeholder)\(number)"
            let others = (2...).lazy.map { "\(placeholder)-\($0)" }
            let known = Set(names.values)
            let name = known.contains(placeholder) ? others.first { !known.contains($0) } : nil
            names[number] = name ?? placeholder
            try insert(kind, number, name ?? placeholder, keys[number])
        }
        return isWhole && !isAnyLost && lost.isEmpty
    }

    private func removeRows(of device: Int64) throws {
        for table in ["point", "event", "sender_id"] {
            try tables.db.execute(sql: "DELETE FROM \(table) WHERE device = ?", arguments: [device])
        }
    }

    private func insert(_ kind: NamedTable.Kind, _ number: Int64, _ name: String, _ key: DatabaseValue?) throws {
        let table = NamedTable(kind: kind, tables: tables)
        guard tables.seal != nil else {
            return try tables.db.execute(
                sql: "INSERT OR IGNORE INTO \(kind.rawValue) VALUES (?, ?)", arguments: [number, name])
        }
        try tables.db.execute(
            sql: "INSERT OR IGNORE INTO \(kind.rawValue) VALUES (?, ?, x'')",
            arguments: [number, key ?? table.key(name)])
        try table.setName(name, of: number)
    }

    /// Visits the rows of a tree, each with its row id if it has one.
    private func rows(
        below root: UInt32, _ isWhole: inout Bool, _ body: (Int64, [ColumnValue]) throws -> Void
    ) throws {
        var waiting = [root]
        var count = 0
        var decoder = RowDecoder()
        while let number = waiting.popLast(), count < Self.mostPages {
            count += 1
            guard let bytes = try pages.bytes(of: number), bytes.count == pages.pageSize else {
                isWhole = false
                continue
            }
            try bytes.withUnsafeBytes { page in
                func take(_ cell: LeafCell) throws {
                    guard let row = try pages.whole(cell) else {
                        isWhole = false
                        return
                    }
                    try row.withUnsafeBytes {
                        if decoder.decode($0) { try body(cell.rowid, decoder.values) } else { isWhole = false }
                    }
                }
                waiting += InteriorPage.children(of: page) ?? []
                let isRead =
                    LeafPage.isMarked(page, isFirst: false)
                    ? try LeafPage.forEachCell(in: page, isFirst: false, take)
                    : IndexPage.isMarked(page) ? try IndexPage.forEachCell(in: page, take) : page.first == 0x05
                if !isRead { isWhole = false }
            }
        }
    }
}
