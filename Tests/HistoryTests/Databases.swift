import SQLiteAccess

/// Changes to a history's database from outside.
enum Databases {
    static func setVersion(_ version: Int, of path: String) throws {
        try change(path, "PRAGMA user_version = \(version)")
    }

    /// The number that a question comes to.
    static func number(_ path: String, _ sql: String) throws -> Int? {
        let db = try Database(path: path)
        defer { try? db.close() }  // nothing was written
        return try Int.fetchOne(db, sql: sql)
    }

    /// Runs statements on a database that nobody else has open.
    static func change(_ path: String, _ sql: String) throws {
        let db = try Database(path: path)
        try db.execute(sql: sql)
        try db.close()
    }
}
