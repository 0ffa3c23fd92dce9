import CSQLite

extension Database {
    /// Makes ``allocateFile(_:)`` effective.
    package func allowAllocation() {
        var chunk: Int32 = 4_096
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk)
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
        let flushed = sqlite3_db_cacheflush(connection)
        guard flushed == SQLITE_OK || flushed == SQLITE_BUSY else {
            throw DatabaseError(DatabaseError.Code(rawValue: flushed))
        }
        guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_SIZE_HINT, &size) != SQLITE_OK else { return }
        guard let free = DatabaseFile.space(at: path)?.free, free < size - DatabaseFile.size(of: path) else { return }
        throw DatabaseError(.full, "the disk has no room for the database to grow")
    }

    /// Turns the write-ahead log on; throws if the file system does not allow it.
    package func demandWriteAheadLog() throws {
        guard try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw DatabaseError(.error, "the file system allows no write-ahead log")
        }
    }

    /// Makes commits go through to the disk, and checks that SQLite has accepted it.
    package func demandFullSynchronisation() throws {
        try execute(sql: "PRAGMA synchronous = FULL")
        guard try Int.fetchOne(self, sql: "PRAGMA synchronous") == 2 else {
            throw DatabaseError(.inputOutput, "synchronous=FULL was not accepted")
        }
    }
}
