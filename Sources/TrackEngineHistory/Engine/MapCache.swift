import SQLiteAccess

/// Data made from the points that can be made again: chunks and drawings.
///
/// It has a limit of its own and is never counted towards the limits of stored data; on a full disk it is removed
/// first.
struct MapCache {
    let db: Database

    /// Thrown when the cache's tables are damaged and must be made anew.
    struct Damaged: Error {}

    static let tables = ["chunk", "drawing"]

    /// Runs an operation that reads or changes the tables.
    static func use<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError where error.isDamage { throw Damaged() }
    }

    /// Bytes of the cache's pages. If SQLite was built without the `dbstat` table, an estimate that is rather too
    /// high.
    func bytes() throws -> Int64 {
        try Self.use {
            do {
                return try Int64.fetchOne(
                    db,
                    sql: "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name IN ('chunk', 'drawing')") ?? 0
            } catch let error as DatabaseError where error.code == .error {
                let sizes = Self.tables.map { "(SELECT total(length(contents) + 64) FROM \($0))" }
                return try Int64.fetchOne(db, sql: "SELECT CAST(1.5 * (\(sizes.joined(separator: " + "))) AS INTEGER)")
                    ?? 0
            }
        }
    }

    /// Removes some of the oldest chunks of the finest stored level, or drawings when there are no chunks: the data
    /// that takes most room and least work.
    ///
    /// - Returns: the number of removed rows.
    func removeFinest(limit: Int) throws -> Int {
        try Self.use {
            for table in Self.tables {
                let finest = try devices(in: table).compactMap { device in
                    try Int64.fetchOne(
                        db, sql: "SELECT min(level) FROM \(table) WHERE device = ?", arguments: [device]
                    ).map { (level: $0, device: device) }
                }.min { $0.level < $1.level }
                guard let finest else { continue }
                try db.execute(
                    sql: """
                        DELETE FROM \(table) WHERE device = ?1 AND level = ?2 AND number <= (
                            SELECT max(number) FROM (
                                SELECT number FROM \(table) WHERE device = ?1 AND level = ?2
                                ORDER BY number LIMIT ?3))
                        """, arguments: [finest.device, finest.level, limit])
                return db.changesCount
            }
            return 0
        }
    }

    private func devices(in table: String) throws -> [Int64] {
        var devices: [Int64] = []
        while let next = try Int64.fetchOne(
            db, sql: "SELECT min(device) FROM \(table) WHERE device > ?", arguments: [devices.last ?? .min])
        { devices.append(next) }
        return devices
    }

    /// Removes all chunks and drawings.
    ///
    /// - Returns: whether there were any.
    func removeAll() throws -> Bool {
        try Self.use {
            let before = db.totalChangesCount
            try db.execute(sql: "DELETE FROM chunk; DELETE FROM drawing")
            return db.totalChangesCount > before
        }
    }

    /// Replaces damaged tables by empty ones. A table that is too damaged to be removed keeps its pages under another
    /// name.
    static func makeAnew(_ connection: HistoryConnection) throws {
        for (table, definition) in [("chunk", HistorySchema.chunks), ("drawing", HistorySchema.drawings)] {
            do {
                try connection.commit { try $0.execute(sql: "DROP TABLE \(table); \(definition)") }
            } catch let error as DatabaseError where error.isDamage {
                let name = "damaged_\(table)_\(UInt32.random(in: 0...(.max)))"
                try connection.commit { try $0.execute(sql: "ALTER TABLE \(table) RENAME TO \(name); \(definition)") }
            }
        }
    }
}

extension DatabaseError {
    /// Whether a page of the database is damaged. No statement adds a row for the second time, unless the index that it
    /// asks before does not have it.
    var isDamage: Bool { code == .corrupt || code == .constraint }
}

extension Error {
    /// Whether a damaged page of the database caused the error.
    var isDamage: Bool { self is MapCache.Damaged || (self as? DatabaseError)?.isDamage == true }
}
