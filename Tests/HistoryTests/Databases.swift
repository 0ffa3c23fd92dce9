import GRDB

/// Changes to a history's database from outside.
enum Databases {
    static func setVersion(_ version: Int, of path: String) throws {
        try change(path, "PRAGMA user_version = \(version)")
    }

    /// The number that a question comes to.
    static func number(_ path: String, _ sql: String) throws -> Int? {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }  // nothing was written
        return try queue.read { try Int.fetchOne($0, sql: sql) }
    }

    /// Runs statements on a database that nobody else has open.
    static func change(_ path: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}
