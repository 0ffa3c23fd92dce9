import GRDB
import TrackEngine

/// Tells a database of another program from one of ours, so that it gets none of our tables.
///
/// Only what surely is another program's is refused: its tables can be read, there are some, and none is one that every
/// store has. What cannot be read may be a damaged store of ours.
enum ForeignTables {
    /// What only a store has; names like `meta` are common.
    private static let own: Set<String> = ["record", "dead"]
    private static let query = """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT 64
        """

    /// Looks at a database that is open.
    ///
    /// The version is set in the transaction that makes the first tables: a store without one has no table, and one
    /// with a version has some.
    static func refuse(_ db: Database, version: Int, path: String) throws {
        let tables = try String.fetchAll(db, sql: query)
        try refuse(tables, path: path)
        guard (version == 0) == tables.isEmpty else {
            throw StoreError(.damaged, "version \(version) does not belong to \(tables.count) tables")
        }
    }

    /// Looks into a database's file and its log, without opening them as a database: setting up a connection would already
    /// change the files, and another program may be using them. What cannot be read is left to the opening that follows.
    ///
    /// - Parameter log: the log beside it, which may hold the first tables; `nil` when there is none.
    static func refuse(path: String, log: WriteAheadLog?) throws(StoreError) {
        let tables = tablesInFile(path)
        if let tables { try refuse(tables, path: path) }
        guard tables?.isEmpty ?? true, let log, log.committed[1] != nil else { return }
        // A read error is waited for by the opening that follows.
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

    /// The tables that a file names, its log apart; `nil` when they cannot be read.
    private static func tablesInFile(_ path: String) -> [String]? {
        UnopenedDatabase.firstColumn(of: query, in: path)?.map { String(decoding: $0, as: UTF8.self) }
    }
}
