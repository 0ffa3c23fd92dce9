import SQLiteAccess
import TrackEngine

/// Rejects databases of other programs, so that they do not get the store's tables.
///
/// A database is rejected only if it certainly belongs to another program: its tables can be read, there is at least
/// one, and none is a table that every store has. An unreadable database may be a damaged store.
enum ForeignTableCheck {
    /// Tables that only a store has; names like `meta` are common.
    private static let own: Set<String> = ["record", "dead"]
    private static let query = """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT 64
        """

    /// Checks a database that is open.
    ///
    /// The version is set in the transaction that creates the first tables: a store without a version has no tables,
    /// and one with a version has at least one.
    static func refuse(_ db: Database, version: Int, path: String) throws {
        let tables = try String.fetchAll(db, sql: query)
        try refuse(tables, path: path)
        guard (version == 0) == tables.isEmpty else {
            throw StoreError(.damaged, "version \(version) does not belong to \(tables.count) tables")
        }
    }

    /// Checks a database's file and its log without opening them as a database: setting up a connection would already
    /// change the files, and another program may be using them. Unreadable parts are left to the opening that follows.
    ///
    /// - Parameter log: the database's log, which may hold the first tables; `nil` if there is none.
    static func refuse(path: String, log: WriteAheadLog?) throws(StoreError) {
        let tables = tablesInFile(path)
        if let tables { try refuse(tables, path: path) }
        guard tables?.isEmpty ?? true, let log, log.committed[1] != nil else { return }
        // The opening that follows retries after a read error.
        guard let file = try? ReadOnlyFile(path), let pages = try? DatabasePages(database: file, log: log),
            let tables = try? SchemaPages(pages: pages).tables()
        else { return }
        try refuse(tables, path: path)
    }

    private static func refuse(_ tables: [String], path: String) throws(StoreError) {
        guard !tables.isEmpty, own.isDisjoint(with: tables) else { return }
        throw StoreError(
            .foreignDatabase,
            "\(path): expected a database of this store, found one with tables of another program; "
                + "it is left as it is: move it away or choose another directory")
    }

    /// The tables in a file, without its log; `nil` if they cannot be read.
    private static func tablesInFile(_ path: String) -> [String]? {
        (try? Database(path: path, .immutable)).flatMap { try? String.fetchAll($0, sql: query) }
    }
}
