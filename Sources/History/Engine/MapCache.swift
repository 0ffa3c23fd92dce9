import GRDB

/// What is made of the points and can be made again: chunks and drawings.
///
/// It has a bound of its own and is never counted where a bound is about what people gave; where the disk is full it goes first.
struct MapCache {
    let db: Database

    /// Thrown where its tables are damaged: they are to be made anew.
    struct Damage: Error {}

    /// Runs what reads or changes the tables.
    static func use<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError where error.isDamage { throw Damage() }
    }

    /// Bytes of its pages; where SQLite was built without the table that tells it, an estimate that is rather too high.
    func bytes() throws -> Int64 {
        try Self.use {
            do {
                return try Int64.fetchOne(
                    db,
                    sql: "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name IN ('chunk', 'drawing')") ?? 0
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                let sizes = ["chunk", "drawing"].map { "(SELECT total(length(contents) + 64) FROM \($0))" }
                return try Int64.fetchOne(db, sql: "SELECT CAST(1.5 * (\(sizes.joined(separator: " + "))) AS INTEGER)")
                    ?? 0
            }
        }
    }

    /// Removes some of the oldest chunks of the finest level that there is, or drawings where there are no chunks: what costs
    /// most room and least work.
    ///
    /// - Returns: how many went.
    func removeFinest(limit: Int) throws -> Int {
        try Self.use {
            for table in ["chunk", "drawing"] {
                let finest = try devices(in: table).compactMap { device in
                    try Int64.fetchOne(
                        db, sql: "SELECT min(level) FROM \(table) WHERE device = ?", arguments: [device]
                    ).map { (level: $0, device: device) }
                }.min { $0.level < $1.level }
                guard let finest else { continue }
                try db.execute(
                    sql: """
                        DELETE FROM \(table) WHERE device = :device AND level = :level AND number <= (
                            SELECT max(number) FROM (
                                SELECT number FROM \(table) WHERE device = :device AND level = :level
                                ORDER BY number LIMIT :limit))
                        """, arguments: ["device": finest.device, "level": finest.level, "limit": limit])
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

    /// Removes all of it.
    ///
    /// - Returns: whether there was anything.
    func removeAll() throws -> Bool {
        try Self.use {
            let before = db.totalChangesCount
            try db.execute(sql: "DELETE FROM chunk; DELETE FROM drawing")
            return db.totalChangesCount > before
        }
    }

    /// Makes empty tables in place of damaged ones. One that is too damaged to be removed keeps its pages under another name.
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
    /// Whether a page of the database is not what was written.
    var isDamage: Bool { resultCode == .SQLITE_CORRUPT }
}

extension Error {
    /// Whether a page of the database was in the way that is not what was written.
    var isDamage: Bool { self is MapCache.Damage || (self as? DatabaseError)?.isDamage == true }
}
