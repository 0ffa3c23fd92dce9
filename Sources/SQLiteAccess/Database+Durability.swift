package import GRDB
import GRDBSQLite

extension Database {
    /// Runs in one transaction and commits it.
    ///
    /// Blocks its thread and ignores the cancellation of the surrounding task: GRDB's asynchronous writes would be
    /// undone by it.
    package func immediateTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try beginTransaction(.immediate)
        do {
            let result = try body(self)
            try commit()
            return result
        } catch {
            try? rollback()  // SQLite may have rolled back by itself; the original error is thrown
            throw error
        }
    }

    /// Makes ``allocateFile(_:)`` effective.
    package func allowAllocation() {
        var chunk: Int32 = 4_096
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk)
    }

    /// Allocates the space that the database's file will need after this transaction, before the transaction is
    /// committed.
    ///
    /// Otherwise the commit may use the last space for the log. The log then cannot be moved into the file, and on a
    /// full disk no row can be removed any more.
    ///
    /// - Throws: `SQLITE_FULL` when the disk has no room. A file system that cannot reserve space is no error.
    package func allocateFile(_ path: String) throws {
        func number(_ pragma: String) throws -> Int64 { try Int64.fetchOne(self, sql: "PRAGMA \(pragma)") ?? 0 }
        var size = try number("page_count") * number("page_size")
        guard size > DatabaseFile.size(of: path) else { return }
        // The log first: if it has no room, the file need not grow.
        let flushed = sqlite3_db_cacheflush(sqliteConnection)
        guard flushed == SQLITE_OK || flushed == SQLITE_BUSY else {
            throw DatabaseError(resultCode: ResultCode(rawValue: flushed))
        }
        guard sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_SIZE_HINT, &size) != SQLITE_OK else { return }
        guard let free = DatabaseFile.space(at: path)?.free, free < size - DatabaseFile.size(of: path) else { return }
        throw DatabaseError(resultCode: .SQLITE_FULL, message: "the disk has no room for the database to grow")
    }

    /// Turns the write-ahead log on; throws if the file system does not allow it.
    package func demandWriteAheadLog() throws {
        guard try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw DatabaseError(resultCode: .SQLITE_ERROR, message: "the file system allows no write-ahead log")
        }
    }

    /// Makes commits go through to the disk, and checks that SQLite has accepted it. GRDB itself sets `synchronous`
    /// to NORMAL when it turns the log on, so the log must be turned on before.
    package func demandFullSynchronisation() throws {
        try execute(sql: "PRAGMA synchronous = FULL")
        guard try Int.fetchOne(self, sql: "PRAGMA synchronous") == 2 else {
            throw DatabaseError(resultCode: .SQLITE_IOERR, message: "synchronous=FULL was not accepted")
        }
    }
}
