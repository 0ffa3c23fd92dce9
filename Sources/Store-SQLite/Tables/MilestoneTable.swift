import GRDB
import TrackEngine

/// Up to where every sink had settled at a time. At most one row for each kept record, removed with them.
struct MilestoneTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Notes that every record up to a sequence number is settled, unless that is known.
    func note(settled sequence: Int64, at time: Timestamp) throws {
        let known = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(upto) FROM milestone")) ?? 0
        guard sequence > known else { return }
        try db.cachedStatement(sql: "INSERT INTO milestone (upto, time) VALUES (?, ?)")
            .execute(arguments: [sequence, time.nanosecondsSince1970])
    }

    /// Up to where every record was settled by a time, of those from a sequence number on.
    ///
    /// Under a clock that went back a later number can have an earlier time. Records go in their order, so the first
    /// number with a later time ends the search.
    func sequence(settledBy time: Timestamp, from first: Int64) throws -> Int64 {
        let later = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT min(upto) FROM milestone WHERE time > ? AND upto >= ?"),
            arguments: [time.nanosecondsSince1970, first])
        let statement = try db.cachedStatement(sql: "SELECT max(upto) FROM milestone WHERE upto < ?")
        return try Int64.fetchOne(statement, arguments: [later ?? .max]) ?? 0
    }

    /// Removes those before a sequence number, whose records are gone.
    func forget(before sequence: Int64) throws {
        try db.execute(sql: "DELETE FROM milestone WHERE upto < ?", arguments: [sequence])
    }

    func removeAll() throws { try db.execute(sql: "DELETE FROM milestone") }
}
