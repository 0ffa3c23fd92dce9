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

    /// Runs in one transaction and commits it; a relaxed one is only for data that can be made again.
    func commit<Result>(
        _ durability: Database.Durability = .durable, _ body: (Database) throws -> Result
    ) throws -> Result {
        try db.commit(durability) { try allocating($0, body) }
    }

    /// Allocates the space that the database needs for the result, so that the log can be moved into it even on a
    /// full disk.
    private func allocating<Result>(_ db: Database, _ body: (Database) throws -> Result) throws -> Result {
        let result = try body(db)
        try db.allocateFile(path)
        return result
    }

    /// Moves all commits from the log into the database's file, so that the file's header is up to date.
    func checkpoint() throws { try db.checkpoint() }

    func close() throws { try db.close() }
}
