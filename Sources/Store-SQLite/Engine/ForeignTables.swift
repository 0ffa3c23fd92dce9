import GRDB
import GRDBSQLite
import TrackEngine

/// Tells a database of another program from one of ours, so that it gets none of our tables.
///
/// A database that is not ours is set aside like a damaged one.
enum ForeignTables {
    /// What only a store has; names like `meta` are common.
    private static let own: Set<String> = ["record", "dead"]
    private static let query = """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT 64
        """

    /// Looks at a database that is open.
    static func refuse(_ db: Database, version: Int) throws {
        try refuse(String.fetchAll(db, sql: query), version: version)
    }

    /// Looks into a file that has no log, without opening it as a database: setting up a connection would already change the
    /// file. What cannot be read is left to the opening that follows.
    static func refuse(path: String) throws(StoreError) {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        guard sqlite3_open_v2("file:\(escaped(path))?immutable=1", &handle, flags, nil) == SQLITE_OK,
            let version = texts(handle, "PRAGMA user_version")?.first.flatMap({ Int($0) }),
            let tables = texts(handle, query)
        else { return }
        try refuse(tables, version: version)
    }

    /// The version is set in the transaction that makes the first tables, so a store without one has no table.
    private static func refuse(_ tables: [String], version: Int) throws(StoreError) {
        guard version == 0 ? !tables.isEmpty : own.isDisjoint(with: tables) else { return }
        throw StoreError(.damaged, "expected a database of this store, found one of another program")
    }

    /// The first column of a result; `nil` when the query fails.
    private static func texts(_ handle: OpaquePointer?, _ sql: String) -> [String]? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        var result = sqlite3_step(statement)
        while result == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { texts.append(String(cString: text)) }
            result = sqlite3_step(statement)
        }
        return result == SQLITE_DONE ? texts : nil
    }

    /// A path in a URI (SQLite, "Uniform Resource Identifiers", section 3.1).
    private static func escaped(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }
}
