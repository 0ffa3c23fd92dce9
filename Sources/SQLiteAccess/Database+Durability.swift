package import GRDB

extension Database {
    /// Runs in one transaction and commits it.
    ///
    /// Blocks its thread and does not look at the task it runs in: GRDB's asynchronous writes would be undone when that task
    /// is cancelled.
    package func immediateTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try beginTransaction(.immediate)
        do {
            let result = try body(self)
            try commit()
            return result
        } catch {
            try? rollback()  // SQLite may have rolled back by itself; the error that matters is the one at hand
            throw error
        }
    }

    /// Turns the write-ahead log on.
    package func demandWriteAheadLog() throws {
        guard try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw DatabaseError(resultCode: .SQLITE_ERROR, message: "the file system allows no write-ahead log")
        }
    }

    /// Makes commits go through to the disk, and sees that SQLite has accepted it. GRDB itself sets `synchronous` to NORMAL
    /// after it has turned the log on, so the log is turned on before.
    package func demandFullSynchronisation() throws {
        try execute(sql: "PRAGMA synchronous = FULL")
        guard try Int.fetchOne(self, sql: "PRAGMA synchronous") == 2 else {
            throw DatabaseError(resultCode: .SQLITE_IOERR, message: "synchronous=FULL was not accepted")
        }
    }
}
