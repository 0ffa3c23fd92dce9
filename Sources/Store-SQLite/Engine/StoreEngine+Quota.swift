import GRDB
import TrackEngine

/// The store's own quota on disk.
///
/// On a full file system a database with a write-ahead log can neither delete nor checkpoint, so it cannot dig itself
/// out. Under a page limit of its own it can: the limit stops an insert, while deleting still works.
extension StoreEngine {
    private static let pageSize = Int64(PageSize.own)

    /// How many pages the database may have; 0 means no limit. A part of the quota is left to the log and the shared
    /// memory: the log is emptied when it is half as large as the reserve, or a fifth of a small quota.
    var quotaInPages: Int {
        guard retention.maxBytes > 0 else { return 0 }
        return max(16, Int((retention.maxBytes - reservedBytes) / Self.pageSize) - logInPages * 3 / 2 - 9)
    }

    var logInPages: Int {
        if reservedBytes > 0 { return Int(reservedBytes / 2 / Self.pageSize) }
        return max(16, min(256, Int(retention.maxBytes / Self.pageSize / 5)))
    }

    /// Removes the oldest dead letters, or if there are none the oldest of what waits, because the quota is full;
    /// returns whether that made room.
    ///
    /// Without a quota no row is removed: then the disk is full, and whose bytes must go is not for the store to say.
    /// But pages that are free already go back to the file system.
    func makeRoom(for drafts: Int) throws(StoreError) -> Bool {
        guard retention.maxBytes > 0 else { return try giveBackAllFreePages() }
        let report = try dropForQuota(max(64, drafts, counters.count / 64))
        return report.dropped + report.settled > 0
    }

    /// A dead letter is a copy of what a receiver will never take; a record is what it has not had yet, or is kept
    /// though every receiver has it, and then goes before what still waits. A letter that somebody put back waits like
    /// a record, and goes when the records of its age do: otherwise such letters could fill the quota, and nothing
    /// would be accepted any more.
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

    /// Brings a database that is larger than its quota below it, and gives free pages back to the file system.
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

    /// Some free pages are kept: the next records need them again.
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
