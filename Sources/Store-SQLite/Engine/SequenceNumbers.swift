import GRDB
import TrackEngine

/// Which sequence numbers a store believes.
///
/// A number beyond the bounds is damage, wherever it stands. The highest leaves so much room below `Int64.max` that
/// adding steps and counts to a believed number cannot overflow.
enum SequenceBounds {
    /// 2⁴⁸: at a thousand records a second it takes 8,900 years to get there.
    static let highest: Int64 = 1 << 48

    /// The highest number that is believed where no check stands beside it: so high a one leaves room for as many again.
    static let highestUnchecked = highest / 2

    /// Whether a record can have this number.
    static func contains(_ sequence: Int64) -> Bool { (1...highest).contains(sequence) }
}

/// The highest sequence number that a database knows of. The next record's number is above it, whatever was lost: a
/// number below a cursor would count as delivered.
enum SequenceFloor {
    /// Looks at records, the counter of records, cursors, dead letters, and every other table with a column `seq`
    /// or `upto`.
    ///
    /// - Throws: ``StoreError/Code/damaged`` when a record or a cursor with a good check has a number that is none.
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

    /// Numbers without a check of their own count only as far as they can be believed.
    private static func others(_ db: Database) throws -> Int64 {
        let columns = try Row.fetchAll(
            db,
            sql: """
                SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
                WHERE t.type = 'table' AND t.name <> 'damaged' AND c.name IN ('seq', 'upto')
                """)
        return try columns.reduce(into: 0) { floor, row in
            guard let table = row.text(0), let column = row.text(1) else { return }
            // Of SQLite's counters only that of the records: dead letters are numbered by themselves.
            let condition = table == "sqlite_sequence" ? " AND name = 'record'" : ""
            let highest = try Int64.fetchOne(
                db,
                sql: """
                    SELECT max(\(column.quotedDatabaseIdentifier)) FROM \(table.quotedDatabaseIdentifier)
                    WHERE \(column.quotedDatabaseIdentifier) BETWEEN 1 AND ?\(condition)
                    """, arguments: [SequenceBounds.highestUnchecked])
            floor = max(floor, highest ?? 0)
        }
    }
}

extension SinkTable {
    /// All cursors whose rows are sound.
    func cursors() throws -> [Int64] {
        try names().map { try cursor(of: $0) }
    }
}
