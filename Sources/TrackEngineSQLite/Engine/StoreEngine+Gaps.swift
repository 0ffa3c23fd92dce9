import Logging
import SQLiteAccess
import TrackEngine

/// Detects missing records during delivery.
///
/// A gap between the numbers of records has a known cause (see ``MissingRecords``), or a page of the database is
/// damaged or stored under another row's number. After an orderly end the pages have not been checked, so the first
/// gap starts a check of all pages. Records that are missing in a sound database are counted.
extension StoreEngine {
    /// The oldest records after a sink's cursor.
    func nextRecords(for sink: SinkID, limit: Int) throws(StoreError) -> [TrackRecord] {
        while true {
            let cursor = try read { try SinkTable($0).cursor(of: sink) }
            let next = try readSettingAside(.record) { try RecordTable($0, seal).records(after: cursor, limit: limit) }
            let hasGap = hasGap(next, after: cursor)
            if hasGap && !isChecked {
                try checkWhole()
                continue
            }
            if hasGap && (next.last?.sequence.rawValue ?? 0) > counters.durable.lostThrough {
                try noteMissing(among: next, after: cursor)
            }
            return next
        }
    }

    private func hasGap(_ records: [TrackRecord], after cursor: Int64) -> Bool {
        guard !records.isEmpty else { return cursor < counters.last }
        var previous = cursor
        return records.contains { record in
            defer { previous = record.sequence.rawValue }
            return record.sequence.rawValue - previous != 1
        }
    }

    /// Checks every page; a damaged database is repaired in the process.
    private func checkWhole() throws(StoreError) {
        try attempt { connection in
            let defects = try connection.defects()
            guard defects.isEmpty else {
                throw DatabaseError(.corrupt, defects.joined(separator: "; "))
            }
        }
        isChecked = true
    }

    private func noteMissing(among records: [TrackRecord], after cursor: Int64) throws(StoreError) {
        let missing = try write(.relaxed) { db, counters in
            let missing = try MissingRecords(db).count(among: records.map(\.sequence.rawValue), after: cursor)
            counters.durable.lost += missing
            counters.durable.lostThrough = max(
                counters.durable.lostThrough, records.last?.sequence.rawValue ?? 0)
            return missing
        }
        guard missing > 0, let first = records.first, let last = records.last else { return }
        logger.error(
            "records are missing",
            metadata: [
                "count": "\(missing)", "after": "\(cursor)", "first": "\(first.sequence)", "last": "\(last.sequence)",
            ])
    }
}
