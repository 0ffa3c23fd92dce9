import SQLiteAccess
import TrackEngine

/// The store's own quota on disk.
///
/// On a full file system, a database with a write-ahead log can neither delete nor checkpoint, so it cannot recover.
/// With a page limit of its own it can: the limit stops inserts, while deletions still work.
extension StoreEngine {
    private static let pageSize = Int64(PageSize.own)

    /// The maximum number of pages of the database; 0 means no limit. A part of the quota is left for the log and the
    /// shared memory. The log is emptied when it is half as large as the reserve, or a fifth of a small quota.
    var quotaInPages: Int {
        guard retention.maxBytes > 0 else { return 0 }
        return max(16, Int((retention.maxBytes - reservedBytes) / Self.pageSize) - logInPages * 3 / 2 - 9)
    }

    var logInPages: Int {
        if reservedBytes > 0 { return Int(reservedBytes / 2 / Self.pageSize) }
        return max(16, min(256, Int(retention.maxBytes / Self.pageSize / 5)))
    }

    /// Removes the oldest dead letters, or the oldest waiting records if there are none, because the quota is full.
    /// Returns whether that made room.
    ///
    /// Without a quota no row is removed: then the disk is full, and the store must not decide which bytes to remove.
    /// Pages that are already free are returned to the file system.
    func makeRoom(for drafts: Int) throws(StoreError) -> Bool {
        guard retention.maxBytes > 0 else { return try giveBackAllFreePages() }
        let report = try dropForQuota(max(64, drafts, counters.count / 64))
        return report.dropped + report.settled > 0
    }

    /// Removes dead letters first: they are copies of records that a server will never accept. Then it removes records
    /// that every sink has settled, and then records that are still waiting. A requeued letter is treated like a
    /// waiting record and is removed together with the records of its age. Otherwise such letters could fill the
    /// quota, and the store could not accept any more records.
    private func dropForQuota(_ count: Int) throws(StoreError) -> PruneReport {
        try write(.relaxed) { db, counters in
            let letters = try DeadLetterTable(db, seal).dropOldest(count)
            if letters > 0 { return counters.noteLetters(dropped: letters) }
            let delivered = try dropOldestSettled(count, in: db, &counters)
            if delivered.settled > 0 { return delivered }
            let end = try RecordTable(db).sequence(ofOldest: count) ?? .max
            let putBack = try DeadLetterTable(db, seal).dropOldestRequeued(count, through: end)
            if putBack > 0 { return counters.noteLetters(dropped: putBack) }
            return try dropOldest(count, in: db, &counters)
        }
    }

    /// Reduces a database that is larger than its quota, and returns free pages to the file system.
    func shrink() throws(StoreError) -> PruneReport {
        var report = PruneReport(settled: 0, dropped: 0)
        let quota = quotaInPages
        while quota > 0, try usedPages() > quota {
            let round = try dropForQuota(max(64, counters.count / 64))
            if round.dropped + round.settled == 0 { break }
            report += round
        }
        do throws(StoreError) {
            try giveBackFreePages()
        } catch {
            guard error.code == .full else { throw error }
            _ = try giveBackAllFreePages()
        }
        return report
    }

    private func usedPages() throws(StoreError) -> Int {
        try read { db in
            let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            return try all - (Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0)
        }
    }

    /// Keeps some free pages, because the next records need them again.
    private func giveBackFreePages() throws(StoreError) {
        let quota = quotaInPages
        let log = logInPages
        try read { db in
            let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            let isTooLarge = quota > 0 && all > quota
            guard isTooLarge || free > max(256, all / 4) else { return }
            try db.execute(sql: "PRAGMA incremental_vacuum(\(isTooLarge ? free : free / 2))")
            try Connection.setLimits(db, pages: quota, logPages: log)
        }
    }
}
