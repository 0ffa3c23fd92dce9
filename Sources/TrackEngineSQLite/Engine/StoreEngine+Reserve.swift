import Logging
import SQLiteAccess
import TrackEngine

/// Operation on a full disk: delivered records make room for new ones.
extension StoreEngine {
    /// The maximum number of pages that one step of returning space moves, so that its log fits into the reserve.
    private static let vacuumStep = 16

    /// The minimum quota for a reserve. The reserve would be too large a part of a smaller one, which has its limit of
    /// pages.
    private static let leastQuota: Int64 = 16 << 20

    /// Whether the store has a reserve.
    private var wantsReserve: Bool { retention.maxBytes == 0 || retention.maxBytes >= Self.leastQuota }

    /// The size of the reserve within a quota, in bytes.
    var reservedBytes: Int64 { wantsReserve ? diskReserve.size : 0 }

    /// The number of rows that one transaction removes, so that its log stays small.
    var rowsAtOnce: Int { diskReserve.isHeld || !wantsReserve ? 5_000 : 200 }

    /// Creates the reserve, or releases it if a new quota has no room for it.
    func adjustReserve() {
        guard wantsReserve else {
            _ = diskReserve.release()
            return
        }
        try? diskReserve.take()  // a full disk: the next append tries again and reports it
    }

    /// Ensures that an append leaves the space that settling needs.
    func takeReserve() throws(StoreError) {
        guard wantsReserve, !diskReserve.isHeld else { return }
        try diskReserve.take()
    }

    /// Runs a write; if the disk is full, runs it again with the reserve's space.
    func withReserve<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            let result = try work()
            if wantsReserve, !diskReserve.isHeld { emptyLog() }
            return result
        } catch {
            guard error.code == .full, diskReserve.release() else { throw error }
            if !hasUsedReserve {
                logger.warning("disk is full, its reserve is used to settle and prune", metadata: ["error": "\(error)"])
            }
            hasUsedReserve = true
        }
        emptyLog()
        let result = try work()
        emptyLog()
        try? diskReserve.take()  // at once: others may fill the disk, and then the store could not be opened
        return result
    }

    /// Notes that new data was written.
    func noteRoom() {
        guard hasUsedReserve else { return }
        hasUsedReserve = false
        logger.notice("disk has room again")
    }

    /// Moves the log into the database, so that its space is free again.
    private func emptyLog() {
        // This only makes room; the next write shows whether that is enough.
        try? attempt { try $0.checkpoint() }
    }

    /// Takes the reserve again after its use, with the space that pruning has freed.
    func recoverReserve() throws(StoreError) {
        guard wantsReserve, !diskReserve.isHeld else { return }
        _ = try giveBackAllFreePages()
        try? takeReserve()  // still too full: the next append tries again and reports it
    }

    /// Returns all free pages to the file system, in steps whose log fits into the reserve; returns whether there were
    /// any. The log of the next commit needs the space that only the database has.
    func giveBackAllFreePages() throws(StoreError) -> Bool {
        let before = try pageCount()
        var size = before
        while try read({ try Int.fetchOne($0, sql: "PRAGMA freelist_count") ?? 0 }) > 0 {
            try withReserve { () throws(StoreError) in
                try attempt { connection in
                    try connection.run { try $0.execute(sql: "PRAGMA incremental_vacuum(\(Self.vacuumStep))") }
                }
            }
            emptyLog()
            let now = try pageCount()
            guard now < size else { break }
            size = now
        }
        return size < before
    }

    private func pageCount() throws(StoreError) -> Int {
        try read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    }
}
