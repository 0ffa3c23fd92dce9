import GRDB
import SQLiteAccess
import TrackEngine

/// The one connection to a history's database, whose commits go through to the disk.
///
/// Calls block their thread and do not look at the task they run in: GRDB's asynchronous writes are undone when that is
/// cancelled.
struct HistoryConnection {
    private let queue: DatabaseQueue

    /// Opens or makes a database, unless it is none of ours.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "TrackEngine.history"
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        queue = try DatabaseQueue(path: path, configuration: configuration)
        do {
            try queue.writeWithoutTransaction { db in
                try HistorySchema.examine(db, path: path)
                try Self.setUp(db)
            }
        } catch {
            try? queue.close()  // the error that matters is the one at hand
            throw error
        }
    }

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
    }

    /// Runs outside a transaction.
    func run<Result>(_ body: (Database) throws -> Result) throws -> Result { try queue.writeWithoutTransaction(body) }

    /// Runs in one transaction and commits it.
    func commit<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.writeWithoutTransaction { db in try db.immediateTransaction(body) }
    }

    func close() throws { try queue.close() }
}
