import GRDB
import GRDBSQLite

/// Inserts records one after the other through a prepared statement.
///
/// The values are bound by hand: GRDB's arguments cost an array of boxes for each row, which is half of the time that a
/// large commit takes.
struct RecordInsertion {
    private let db: Database
    private let statement: OpaquePointer

    init(_ db: Database) throws {
        self.db = db
        statement = try db.cachedStatement(sql: "INSERT INTO record (\(StoredRow.columns)) VALUES (?, ?, ?, ?, ?)")
            .sqliteStatement
    }

    func insert(_ row: StoredRow) throws {
        defer { sqlite3_reset(statement) }  // its result is that of the step
        // SQLite reads the bytes during the step only, so it need not copy them: no destructor.
        let result = row.id.withUnsafeBytes { id in
            row.payload.withUnsafeBytes { payload in
                sqlite3_bind_int64(statement, 1, row.sequence)
                sqlite3_bind_blob(statement, 2, id.baseAddress, Int32(id.count), nil)
                sqlite3_bind_int64(statement, 3, row.time)
                sqlite3_bind_blob(statement, 4, payload.baseAddress, Int32(payload.count), nil)
                sqlite3_bind_int64(statement, 5, row.check)
                let result = sqlite3_step(statement)
                sqlite3_clear_bindings(statement)  // none may outlive the bytes
                return result
            }
        }
        guard result == SQLITE_DONE else { throw DatabaseError(lastOf: db) }
    }
}

extension DatabaseError {
    /// What SQLite says about the step that has just failed.
    init(lastOf db: Database) {
        self.init(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
            message: db.lastErrorMessage)
    }
}
