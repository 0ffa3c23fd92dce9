import SQLiteAccess
import TrackEngine

/// The only connection to the database, configured as the store needs it.
///
/// A single connection writes, checkpoints and reads: SQLite before 3.51.3 can corrupt a write-ahead log that two
/// connections reset at the same time, and Debian 12 has 3.40.
struct Connection {
    let db: Database

    /// Opens or creates a database.
    init(path: String) throws { try self.init(path: path, setUp: Self.setUp) }

    /// Creates a database that is not read before it is complete and synchronised as a whole: no log, no journal, no
    /// fsync.
    init(copyAt path: String) throws {
        try self.init(path: path) { db in
            try Self.setForm(of: db)
            try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY")
        }
    }

    private init(path: String, setUp: (Database) throws -> Void) throws {
        db = try Database(path: path)
        do { try setUp(db) } catch {
            try? db.close()  // the original error matters
            throw error
        }
    }

    private static func setUp(_ db: Database) throws {
        if try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 { try setForm(of: db) }
        try db.demandWriteAheadLog()
        try db.execute(
            sql: """
                PRAGMA wal_autocheckpoint = 256;
                PRAGMA journal_size_limit = 1048576;
                PRAGMA cache_size = -512;
                PRAGMA mmap_size = 0;
                PRAGMA temp_store = MEMORY;
                PRAGMA cell_size_check = ON
                """)
        try db.demandFullSynchronisation()
    }

    private static func setForm(of db: Database) throws {
        try db.execute(sql: "PRAGMA page_size = \(PageSize.own); PRAGMA auto_vacuum = INCREMENTAL")
    }

    /// Runs `body` outside a transaction.
    func run<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try body(db)
    }

    /// Runs `body` in one transaction and commits it.
    ///
    /// A relaxed commit is only for changes that can be lost because they merely repeat work: a cursor that is too low
    /// repeats deliveries under the same ids, and a pruned record that reappears is pruned again. SQLite's log is a
    /// sequence, so no commit survives the loss of an earlier one.
    func commit<Result>(_ durability: Database.Durability, _ body: (Database) throws -> Result) throws -> Result {
        try db.commit(durability, body)
    }

    /// The findings of `quick_check`; empty if the database is sound.
    ///
    /// - Throws: a read error, also if SQLite reports it as a finding.
    func defects() throws -> [String] {
        let lines = try run { try String.fetchAll($0, sql: "PRAGMA quick_check(10)") }
        // The check has seen that these pages exist before it reads them, so a failure to read them is no evidence of
        // damage.
        let signs = ["unable to get the page. error code", "failed to get page", "failed to read ptrmap key"]
        let reading = lines.first { line in
            // "Tree 2 page 5 cell 0: failed to get page 7"
            let finding = line.split(separator: ":").last?.drop { $0 == " " } ?? ""
            return signs.contains { finding.hasPrefix($0) } && !line.hasSuffix("=11")
        }
        if let line = reading {
            throw DatabaseError(.failedRead, line)
        }
        return lines == ["ok"] ? [] : lines
    }

    /// Moves the log into the database, synchronises it to the disk, and empties the log.
    func checkpoint() throws { try db.checkpoint() }

    func close() throws { try db.close() }
}

// MARK: - Limits

extension Connection {
    /// Limits the number of pages of the database (0: no limit) and of its log.
    func setLimits(pages: Int, logPages: Int) throws {
        try run { try Self.setLimits($0, pages: pages, logPages: logPages) }
    }

    /// Sets the limits. A database that is already larger has its size as its limit until it has been shrunk.
    static func setLimits(_ db: Database, pages: Int, logPages: Int) throws {
        try db.execute(sql: "PRAGMA max_page_count = \(pages > 0 ? pages : 1_073_741_823)")
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(logPages)")
        try db.execute(sql: "PRAGMA journal_size_limit = \(logPages * PageSize.own)")
    }
}
