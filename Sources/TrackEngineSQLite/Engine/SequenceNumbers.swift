import SQLiteAccess
import TrackEngine

/// The sequence numbers that a store considers valid.
///
/// A number outside the bounds is damage, in any table. The highest number is so far below `Int64.max` that adding
/// steps and counts to a valid number cannot overflow.
enum SequenceBounds {
    /// 2⁴⁸: a store with a thousand records a second reaches it after 8,900 years.
    static let highest: Int64 = 1 << 48

    /// The highest valid number where there is no check. It leaves room for as many numbers again.
    static let highestUnchecked = highest / 2

    /// Whether a record can have this number.
    static func contains(_ sequence: Int64) -> Bool { (1...highest).contains(sequence) }
}

/// The highest sequence number that a database contains. The next record gets a higher one, even after a loss: a
/// number below a cursor would count as delivered.
enum NewestSequence {
    /// Reads records, the counter of records, cursors, dead letters, and every other table with a column `seq` or
    /// `upto`.
    ///
    /// - Throws: ``StoreError/Code/damaged`` if a record, or a cursor with a valid check, has an invalid number.
    static func read(_ db: Database) throws -> Int64 {
        if let first = try RecordTable(db).first(), let last = try RecordTable(db).newest()?.sequence {
            guard SequenceBounds.contains(first), SequenceBounds.contains(last) else {
                throw StoreError(
                    .damaged, "records are numbered \(first) to \(last); expected 1 to \(SequenceBounds.highest)")
            }
        }
        let cursors = try SinkTable(db).cursors()
        guard let highest = cursors.max() else { return try others(db) }
        guard (0...SequenceBounds.highest).contains(highest) else {
            throw StoreError(
                .damaged, "a sink has settled up to \(highest); expected at most \(SequenceBounds.highest)")
        }
        return max(highest, try others(db))
    }

    /// The highest number in tables without a check of their own, up to `SequenceBounds.highestUnchecked`.
    private static func others(_ db: Database) throws -> Int64 {
        let columns = try db.rows(
            sql: """
                SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
                WHERE t.type = 'table' AND t.name <> 'damaged' AND c.name IN ('seq', 'upto')
                """
        ).compactMap { row in row.text(0).flatMap { table in row.text(1).map { (table, $0) } } }
        return try columns.reduce(into: 0) { floor, place in
            let (table, column) = place
            // Use only the records' counter among SQLite's counters: dead letters have their own numbers.
            let condition = table == "sqlite_sequence" ? " AND name = 'record'" : ""
            let highest = try Int64.fetchOne(
                db,
                sql: """
                    SELECT max(\(column.quotedName)) FROM \(table.quotedName)
                    WHERE \(column.quotedName) BETWEEN 1 AND ?\(condition)
                    """, arguments: [SequenceBounds.highestUnchecked])
            floor = max(floor, highest ?? 0)
        }
    }
}

extension String {
    /// The name of a table or column in SQL.
    fileprivate var quotedName: String { "\"" + map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\"" }
}

extension SinkTable {
    /// The cursors of all sinks; 0 for a damaged row.
    func cursors() throws -> [Int64] {
        try names().map { try cursor(of: $0) }
    }
}
