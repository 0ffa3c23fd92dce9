import SQLiteAccess
import TrackEngine

/// Writes the rows that were read from pages into a database.
///
/// The rows of a page are bound to their bytes in memory and written before the next page is read.
struct SalvageWriter {
    /// The number of records that are inserted with one statement; each statement opens its tables anew.
    private static let rowsAtOnce = 20
    /// The maximum number of rows of each table with names; a store has a handful of sinks and sources.
    private static let mostNames = 1_000

    private let db: Database
    private let seal: RowCipher?
    private var decoder = RowDecoder()
    private var records: [[ColumnValue]] = []
    private var named: [RowKind.NamedTable: [String: NamedRow]] = [:]

    /// The number of records and dead letters that have been written.
    private(set) var count = 0
    /// The number of encrypted rows that could not be decrypted and were written as damaged rows.
    private(set) var damaged = 0
    /// The number of encrypted rows under another key, or without a key for them.
    private var foreign = 0
    /// The last number that the damaged database has recorded as assigned.
    private(set) var lastSequence: Int64 = 0
    /// Records up to this number are skipped.
    let floor: Int64

    private struct NamedRow {
        let rowid: Int64
        let values: [DatabaseValue]
    }

    /// Creates a writer for a database that is encrypted with this seal, or unencrypted without one.
    init(_ db: Database, after floor: Int64 = 0, _ seal: RowCipher?) {
        self.db = db
        self.seal = seal
        self.floor = floor
    }

    /// Reads all rows of a page.
    ///
    /// - Parameter whole: reads a row that spans several pages.
    mutating func take(
        _ page: UnsafeRawBufferPointer, isFirst: Bool, whole: (LeafCell) throws -> [UInt8]?
    ) throws {
        let isMarked = LeafPage.isMarked(page, isFirst: isFirst)
        let isWhole =
            try isMarked
            && LeafPage.forEachCell(in: page, isFirst: isFirst) { cell in
                if cell.overflow == nil {
                    try take(cell.rowid, cell.local)
                } else if let row = try whole(cell) {
                    try writeRecords()
                    try row.withUnsafeBytes {
                        try take(cell.rowid, $0)
                        try writeRecords()  // write now: the row's memory ends here
                    }
                }
            }
        if !isWhole { try RowScan.forEachCell(in: page) { try take($0.rowid, $0.local) } }
        try writeRecords()
    }

    private mutating func take(_ rowid: Int64, _ row: UnsafeRawBufferPointer) throws {
        guard decoder.decode(row) else { return }
        let values = decoder.values
        switch RowKind(rowid: rowid, values) {
        case .record:
            guard rowid > floor, try opens(rowid, values[1..<5], as: .record) else { return }
            records.append([.integer(rowid)] + values[1..<5])
            if records.count == Self.rowsAtOnce { try writeRecords() }
        case .letter:
            guard case .integer(let sequence) = values[5], let sink = values[1].name,
                try opens(sequence, values[6..<10], as: .letter, name: sink)
            else { return }
            count += try write("dead", Self.letterColumns, [[.integer(rowid)] + values[1..<10]])
        case .named(let table, let name):
            guard isKept(table, name) else { return }
            keep(values.prefix(table.columnCount), rowid, of: table, name)
        case .lastSequence(let sequence): lastSequence = max(lastSequence, sequence)
        case .unknown: return
        }
    }

    /// Whether the four columns after a row's number belong to this store: unencrypted, or encrypted under its key. A
    /// row that cannot be decrypted is written as a damaged one; an unencrypted row does not belong to an encrypted
    /// store.
    private mutating func opens(
        _ number: Int64, _ columns: ArraySlice<ColumnValue>, as kind: RowCipher.Kind, name: String = ""
    ) throws -> Bool {
        let first = columns.startIndex
        guard case .blob(let id) = columns[first], case .blob(let value) = columns[first + 2] else { return false }
        guard id.isEmpty else { return seal == nil }
        guard let seal, RowCipher.keyName(of: value) == seal.keyName else {
            foreign += 1
            return false
        }
        if seal.open(Array(value), as: kind, number: number, name: name) != nil { return true }
        guard damaged < Self.mostNames else { return false }
        let origin = kind == .record ? "record" : "dead"
        try origin.utf8.withContiguousStorageIfAvailable { origin in
            damaged += try write(
                "damaged", "origin, " + StoredRow.columns,
                [[.text(UnsafeRawBufferPointer(origin)), .integer(number)] + columns])
        }
        return false
    }

    /// Whether a row of a table with names belongs to this store.
    private func isKept(_ table: RowKind.NamedTable, _ name: String) -> Bool {
        switch table {
        case .sink, .meta: return true
        case .checkpoint, .odometer: return seal == nil
        case .sealed:
            guard let seal, case .blob(let value) = decoder.values[1] else { return false }
            return EncryptedTable.isSound(Array(value), of: name, seal)
        }
    }

    /// Rejects a key that decrypts no row, although there are encrypted rows.
    func refuseWrongKey() throws(StoreError) {
        guard foreign > 0, count == 0 else { return }
        throw seal == nil ? KeyGuard.missing : KeyGuard.wrong
    }

    private static let letterColumns = "id, sink, reason, refused, requeued, " + StoredRow.columns

    private mutating func keep(
        _ values: ArraySlice<ColumnValue>, _ rowid: Int64, of table: RowKind.NamedTable, _ name: String
    ) {
        var rows = named[table] ?? [:]
        if let known = rows[name], known.rowid >= rowid { return }
        guard rows[name] != nil || rows.count < Self.mostNames else { return }
        rows[name] = NamedRow(rowid: rowid, values: values.map(DatabaseValue.init(copying:)))
        named[table] = rows
    }
}

// MARK: - Writing

extension SalvageWriter {
    private mutating func writeRecords() throws {
        guard !records.isEmpty else { return }
        if records.count == Self.rowsAtOnce {
            count += try write("record", StoredRow.columns, records)
        } else {
            for record in records { count += try write("record", StoredRow.columns, [record]) }
        }
        records.removeAll(keepingCapacity: true)
    }

    /// Writes the rows of tables with names; called once, after the last page.
    func writeNamed() throws {
        for table in RowKind.NamedTable.allCases where named[table] != nil {
            let marks = repeatElement("?", count: table.columnCount).joined(separator: ", ")
            let sql = "INSERT OR IGNORE INTO \(table.rawValue) (\(table.columns)) VALUES (\(marks))"
            for row in (named[table] ?? [:]).values.sorted(by: { $0.rowid < $1.rowid }) {
                do { try db.execute(sql: sql, arguments: row.values) } catch {
                    // A type that the table rejects is damage that no check covers.
                    guard error.code == .constraint else { throw error }
                }
            }
        }
    }

    /// Writes rows; returns the number of rows that were not in the table yet.
    private func write(_ table: String, _ columns: String, _ rows: [[ColumnValue]]) throws -> Int {
        let row = "(" + repeatElement("?", count: rows[0].count).joined(separator: ", ") + ")"
        let sql =
            "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES "
            + repeatElement(row, count: rows.count).joined(separator: ", ")
        let query = try db.query(sql)
        for (column, value) in zip(Int32(1)..., rows.joined()) { query.bind(value, at: column) }
        do { try query.run() } catch {
            guard error.code == .constraint else { throw error }
            return 0
        }
        return db.changesCount
    }
}
