import GRDB

/// Changes to a history's database from outside.
enum Databases {
    static func setVersion(_ version: Int, of path: String) throws {
        try change(path, "PRAGMA user_version = \(version)")
    }

    /// Runs statements on a database that nobody else has open.
    static func change(_ path: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}
