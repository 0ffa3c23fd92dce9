import SQLiteAccess
import TrackEngine

/// The one connection to a history's database; its commits go through to the disk.
///
/// Calls block their thread and ignore the cancellation of the surrounding task.
struct HistoryConnection {
    private let db: Database
    private let path: String

    /// The purpose for which a database is opened.
    enum Mode {
        /// For use: each commit goes through to the disk.
        case history
        /// To be filled once and then used. It is not needed until it is complete, so it has no log.
        case rewrite
    }

    /// Opens or makes a database; throws for one of another program or of a newer release.
    init(path: String, for use: Mode = .history) throws {
        self.path = path
        db = try Database(path: path)
        do {
            try HistorySchema.examine(db, path: path)
            switch use {
            case .history: try Self.setUp(db)
            case .rewrite: try db.execute(sql: Self.forRewrite)
            }
        } catch {
            try? db.close()  // the original error is thrown
            throw error
        }
    }

    private static let forRewrite = """
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA temp_store = MEMORY
        """

    private static func setUp(_ db: Database) throws {
        if try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 {
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        }
        try db.demandWriteAheadLog()
        try db.execute(
            sql: """
                PRAGMA journal_size_limit = 4194304;
                PRAGMA cache_size = -4096;
                PRAGMA temp_store = MEMORY;
                PRAGMA cell_size_check = ON
                """)
        try db.demandFullSynchronisation()
        db.allowAllocation()
    }

    /// Runs outside a transaction.
    func run<Result>(_ body: (Database) throws -> Result) throws -> Result { try body(db) }

    /// Runs in one transaction and commits it.
    func commit<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try db.immediateTransaction { try allocating($0, body) }
    }

    /// Runs in one transaction that need not go through to the disk, because its data can be made again. A power cut
    /// may undo it together with all later transactions of this kind; the next ``commit(_:)`` makes it durable, too.
    func commitRelaxed<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try db.execute(sql: "PRAGMA synchronous = NORMAL")
        let result = Swift.Result { try db.immediateTransaction { try allocating($0, body) } }
        try db.demandFullSynchronisation()
        return try result.get()
    }

    /// Allocates the space that the database needs for the result, so that the log can be moved into it even on a
    /// full disk.
    private func allocating<Result>(_ db: Database, _ body: (Database) throws -> Result) throws -> Result {
        let result = try body(db)
        try db.allocateFile(path)
        return result
    }

    /// Moves all commits from the log into the database's file, so that the file's header is up to date.
    func checkpoint() throws { try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }

    func close() throws { try db.close() }
}
