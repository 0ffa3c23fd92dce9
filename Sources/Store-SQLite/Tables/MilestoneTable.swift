import GRDB
import TrackEngine

/// Up to where every sink had settled at a time. At most one row for each kept record, removed with them.
struct MilestoneTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Notes that everything up to a place is settled, unless that is known.
    func note(settled place: Int64, at time: Timestamp) throws {
        let known = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(upto) FROM milestone")) ?? 0
        guard place > known else { return }
        try db.cachedStatement(sql: "INSERT INTO milestone (upto, time) VALUES (?, ?)")
            .execute(arguments: [place, time.nanosecondsSince1970])
    }

    /// The last place that was settled by then.
    func place(settledBy time: Timestamp) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT max(upto) FROM milestone WHERE time <= ?")
        return try Int64.fetchOne(statement, arguments: [time.nanosecondsSince1970]) ?? 0
    }

    /// Forgets those before a place, whose records are gone.
    func forget(before place: Int64) throws {
        try db.execute(sql: "DELETE FROM milestone WHERE upto < ?", arguments: [place])
    }

    func removeAll() throws { try db.execute(sql: "DELETE FROM milestone") }
}
