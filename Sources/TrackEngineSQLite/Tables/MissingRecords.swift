import SQLiteAccess
import TrackEngine

/// Counts missing records: sequence numbers without a row and without another explanation.
///
/// Pruning removes the oldest records first, so a number without a row is not a loss
/// - up to the highest cursor, before the first record: those records were delivered and removed;
/// - in a gap that ends at a multiple of ``StoreLedger/step``: a crash left those numbers unused, because the ledger
///   reserves them in steps. A loss in such a gap is not noticed;
/// - if a row was set aside in ``DamagedTable``: it is counted there;
/// - up to `lostThrough`, where gaps have been counted before or the store was cleared.
///
/// Once limits have dropped records (`dropped`), numbers before the first record are not counted. If their fix times
/// were out of order as well (`maximumLateness`), no gaps are counted, because removal by age leaves gaps between
/// records.
struct MissingRecords {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// The number of records missing among records that were read in order after a cursor.
    func count(among sequences: [Int64], after cursor: Int64) throws -> Int64 {
        let counters = try StoreCounts.Saved(db)
        guard counters.dropped == 0 || counters.maximumLateness == 0 else { return 0 }
        let isFirst = try sequences.first == RecordTable(db).first()
        var previous = isFirst ? try lastRemoved(counters) ?? sequences.first ?? 0 : cursor
        return try sequences.reduce(0) { missing, sequence in
            defer { previous = sequence }
            return try missing + count(after: max(previous, counters.lostThrough), before: sequence)
        }
    }

    /// The number of records missing after the highest cursor and between records, up to the last assigned number if
    /// it is known.
    func countAll(through given: Int64) throws -> Int64 {
        let counters = try StoreCounts.Saved(db)
        guard counters.dropped == 0 || counters.maximumLateness == 0, let first = try RecordTable(db).first(),
            let newest = try RecordTable(db).newest()?.sequence
        else { return 0 }
        var missing = try lastRemoved(counters).map { try count(after: $0, before: first) } ?? 0
        let gaps = try db.rows(
            sql: """
                SELECT prior, seq FROM (SELECT seq, lag(seq) OVER (ORDER BY seq) AS prior FROM record)
                WHERE seq > prior + 1
                """)
        while let gap = try gaps.next() {
            guard let prior = gap.integer(0), let next = gap.integer(1) else { continue }
            missing += try count(after: max(prior, counters.lostThrough), before: next)
        }
        return missing + max(0, given - max(newest, counters.lostThrough))
    }

    /// The number up to which records may have been removed because they were delivered; `nil` if it is not known.
    private func lastRemoved(_ counters: StoreCounts.Saved) throws -> Int64? {
        guard counters.dropped == 0, let cursor = try SinkTable(db).cursors().max(), cursor > 0 else { return nil }
        return max(cursor, counters.lostThrough)
    }

    /// The number of records missing between two sequence numbers.
    private func count(after first: Int64, before last: Int64) throws -> Int64 {
        guard last - first > 1, (last - 1) % StoreLedger.step != 0 else { return 0 }
        let aside = try Int64.fetchOne(
            db, sql: "SELECT count(*) FROM damaged WHERE origin = 'record' AND seq > ? AND seq < ?",
            arguments: [first, last])
        return max(0, last - first - 1 - (aside ?? 0))
    }
}
