import SQLiteAccess

/// Rows whose check failed. The newest thousand are kept for inspection.
struct DamagedTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Moves rows out of a table; returns their number.
    func take(_ ids: [Int64], from origin: Origin) throws -> Int {
        var count = 0
        for id in ids {
            try db.execute(
                sql: """
                    INSERT INTO damaged (origin, \(StoredRow.columns))
                    SELECT ?, \(StoredRow.columns) FROM \(origin.rawValue) WHERE \(origin.key) = ?
                    """, arguments: [origin.rawValue, id])
            try db.execute(sql: "DELETE FROM \(origin.rawValue) WHERE \(origin.key) = ?", arguments: [id])
            count += db.changesCount
        }
        try db.execute(
            sql: "DELETE FROM damaged WHERE rowid <= (SELECT max(rowid) FROM damaged) - 1000")
        return count
    }

    func removeAll() throws { try db.execute(sql: "DELETE FROM damaged") }

    /// The table from which a damaged row came.
    enum Origin: String {
        case record, dead

        var key: String {
            switch self {
            case .record: "seq"
            case .dead: "id"
            }
        }
    }
}
