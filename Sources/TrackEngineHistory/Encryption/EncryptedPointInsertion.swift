import FoundationEssentials
import GRDB
import GRDBSQLite
import SQLiteAccess
import TrackEngine

/// Adds sealed points one after the other through one prepared statement, as ``PointInsertion`` adds those in plain.
struct EncryptedPointInsertion: PointWriter {
    private let db: Database
    private let seal: HistoryCipher
    private let lock: PointCipher
    private let statement: Statement

    /// For one transaction.
    init(_ db: Database, _ seal: HistoryCipher) throws {
        self.db = db
        self.seal = seal
        lock = PointCipher(seal)
        statement = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO point (device, time, tag, sender, contents) VALUES (?, ?, ?, ?, ?)")
    }

    func insert(_ row: PointRow, of device: Int64, source: Int64?, senderID: SenderID?) throws -> Bool {
        lock.name(row, of: device)
        guard case .text(let text) = senderID else {
            return try insert(row, device, source, senderID, sender: nil)
        }
        let name = text.kept
        let tag = seal.tag(.senderID, device, text: name)
        if try isKnown(tag, of: device) { return false }
        let isNew = try insert(row, device, source, .text(name), sender: tag)
        if try isNew || rename(row, of: device, name, tag) {
            try db.cachedStatement(sql: "INSERT INTO sender_id VALUES (?, ?)").execute(arguments: [device, Data(tag)])
        }
        return isNew
    }

    private func isKnown(_ tag: [UInt8], of device: Int64) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM sender_id WHERE device = ? AND tag = ?")
        return try Int.fetchOne(statement, arguments: [device, Data(tag)]) != nil
    }

    /// Gives a point without a sender's name the name of its repetition. Returns whether it had none.
    private func rename(_ row: PointRow, of device: Int64, _ name: String, _ sender: [UInt8]) throws -> Bool {
        let tag = lock.withTag { Data($0) }
        let found = try Data.fetchOne(
            db.cachedStatement(sql: "SELECT contents FROM point WHERE device = ? AND time = ? AND tag = ?"),
            arguments: [device, row.time, tag])
        guard let stored = found.flatMap({ lock.open($0, tag: tag, of: device, time: row.time) }),
            stored.senderID == nil
        else { return false }
        let contents = try lock.withSealed(stored.row, source: stored.source, senderID: .text(name)) { Data($0) }
        try db.cachedStatement(
            sql: "UPDATE point SET sender = ?, contents = ? WHERE device = ? AND time = ? AND tag = ?"
        ).execute(arguments: [Data(sender), contents, device, row.time, tag])
        return true
    }

    /// Runs the statement. Returns whether a row was added. SQLite reads the bytes only during the step, so it need
    /// not copy them: no destructor.
    private func insert(
        _ row: PointRow, _ device: Int64, _ source: Int64?, _ senderID: SenderID?, sender: [UInt8]?
    ) throws -> Bool {
        let handle = statement.sqliteStatement
        defer {
            sqlite3_reset(handle)  // its result is that of the step
            sqlite3_clear_bindings(handle)  // none may outlive the bytes
        }
        sqlite3_bind_int64(handle, 1, device)
        sqlite3_bind_int64(handle, 2, row.time)
        return try lock.withSealed(row, source: source, senderID: senderID) { contents in
            try lock.withTag { tag in
                try (sender ?? []).withUnsafeBytes { sender in
                    sqlite3_bind_blob(handle, 3, tag.baseAddress, Int32(tag.count), nil)
                    if !sender.isEmpty { sqlite3_bind_blob(handle, 4, sender.baseAddress, Int32(sender.count), nil) }
                    sqlite3_bind_blob(handle, 5, contents.baseAddress, Int32(contents.count), nil)
                    guard sqlite3_step(handle) == SQLITE_DONE else { throw DatabaseError(lastOf: db) }
                    return db.changesCount > 0
                }
            }
        }
    }
}
