import GRDB
import GRDBSQLite
import SQLiteAccess
import TrackEngine

/// Adds points one after the other through one prepared statement.
///
/// The values are bound directly: GRDB's arguments cost an array of boxes for each row, which is half of the time of
/// a large commit.
struct PointInsertion: PointWriter {
    private let db: Database
    private let statement: Statement

    /// For one transaction.
    init(_ db: Database) throws {
        self.db = db
        statement = try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO point (device, \(PointRow.columns), source, sender_id)
                VALUES (\(Array(repeating: "?", count: PointRow.columnCount + 3).joined(separator: ", ")))
                """)
    }

    func insert(_ row: PointRow, of device: Int64, source: Int64?, senderID: SenderID?) throws -> Bool {
        bindNumbers(of: row, device, source)
        switch senderID {
        case nil: return try insert()
        case .record(let id): return try withUnsafeBytes(of: id.rawValue.bigEndian) { try insert(id: $0) }
        case .text(let text): return try insert(row, of: device, name: text.kept)
        }
    }

    /// Adds a point with a sender's name, unless another point has that name.
    private func insert(_ row: PointRow, of device: Int64, name: String) throws -> Bool {
        if try isKnown(name, of: device) { return false }
        var text = name
        let isNew = try text.withUTF8 { try insert(name: $0) }
        if try isNew || rename(row, of: device, name) {
            let statement = try db.cachedStatement(sql: "INSERT INTO sender_id VALUES (?, ?)")
            try statement.execute(arguments: [device, name])
        }
        return isNew
    }

    /// Gives a point without a sender's name the name of its repetition. Returns whether it had none.
    private func rename(_ row: PointRow, of device: Int64, _ name: String) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                UPDATE point SET sender_id = ?
                WHERE device = ? AND time = ? AND latitude = ? AND longitude = ? AND sender_id IS NULL
                """)
        try statement.execute(arguments: [name, device, row.time, row.place.latitude, row.place.longitude])
        return db.changesCount > 0
    }

    private func isKnown(_ name: String, of device: Int64) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM sender_id WHERE device = ? AND id = ?")
        return try Int.fetchOne(statement, arguments: [device, name]) != nil
    }
}

/// The statement's values: device, the columns of a row, source, id.
extension PointInsertion {
    private static let idColumn = Int32(PointRow.columnCount + 3)

    private func bindNumbers(of row: PointRow, _ device: Int64, _ source: Int64?) {
        bind(device, 1)
        var column: Int32 = 1
        row.forEachColumn { number in
            column += 1
            bind(number, column)
        }
        bind(source, column + 1)
    }

    private func bind(_ number: Int64?, _ column: Int32) {
        if let number {
            sqlite3_bind_int64(statement.sqliteStatement, column, number)
        } else {
            sqlite3_bind_null(statement.sqliteStatement, column)
        }
    }

    // SQLite reads the bytes of an id only during the step, so it need not copy them: no destructor.

    private func insert(id: UnsafeRawBufferPointer) throws -> Bool {
        sqlite3_bind_blob(statement.sqliteStatement, Self.idColumn, id.baseAddress, Int32(id.count), nil)
        return try insert()
    }

    private func insert(name: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try name.withMemoryRebound(to: CChar.self) { name in
            sqlite3_bind_text(statement.sqliteStatement, Self.idColumn, name.baseAddress, Int32(name.count), nil)
            return try insert()
        }
    }

    /// Runs the statement. Returns whether a row was added.
    private func insert() throws -> Bool {
        defer {
            sqlite3_reset(statement.sqliteStatement)  // its result is that of the step
            sqlite3_clear_bindings(statement.sqliteStatement)  // none may outlive the bytes
        }
        guard sqlite3_step(statement.sqliteStatement) == SQLITE_DONE else { throw DatabaseError(lastOf: db) }
        return db.changesCount > 0
    }
}

extension String {
    /// The stored part of a sender's id: whole scalars within ``SenderID/longestText`` bytes. SQLite ends a text at
    /// U+0000, so that is replaced.
    var kept: String {
        var bytes = utf8.prefix(SenderID.longestText).map { $0 }
        while String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }  // three times at most
        return String(decoding: bytes, as: UTF8.self).replacing("\0", with: "\u{FFFD}")
    }
}
