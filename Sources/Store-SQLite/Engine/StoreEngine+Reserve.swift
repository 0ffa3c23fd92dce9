import GRDB
import Logging
import SQLiteAccess
import TrackEngine

/// Going on when the disk is full: what is delivered makes room for what comes.
extension StoreEngine {
    /// How many pages a step of giving back moves at most, so that its log fits into the reserve.
    private static let vacuumStep = 16

    /// Under a quota of less, the reserve would be too large a part of it; the quota's limit of pages does its work.
    private static let leastQuota: Int64 = 16 << 20

    /// Whether the store keeps a reserve at all.
    private var wantsReserve: Bool { retention.maxBytes == 0 || retention.maxBytes >= Self.leastQuota }

    /// How much of a quota the reserve takes, in bytes.
    var reservedBytes: Int64 { wantsReserve ? diskReserve.size : 0 }

    /// How many rows one transaction removes, so that its log stays small.
    var rowsAtOnce: Int { diskReserve.isHeld || !wantsReserve ? 5_000 : 200 }

    /// Keeps the reserve, or gives it up when a new quota has no room for it.
    func adjustReserve() {
        guard wantsReserve else {
            _ = diskReserve.release()
            return
        }
        try? diskReserve.take()  // a full disk: the next append tries again and tells
    }

    /// Makes sure that an append leaves what settling needs.
    func takeReserve() throws(StoreError) {
        guard wantsReserve, !diskReserve.isHeld else { return }
        try diskReserve.take()
        logger.notice("disk has room again, the reserve is kept")
    }

    /// Runs a write; when the disk is full, once more with the reserve's space.
    func withReserve<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            let result = try work()
            if wantsReserve, !diskReserve.isHeld { emptyLog() }
            return result
        } catch {
            guard error.code == .full, diskReserve.release() else { throw error }
            logger.warning("disk is full, its reserve is used to settle and prune", metadata: ["error": "\(error)"])
        }
        emptyLog()
        let result = try work()
        emptyLog()
        return result
    }

    /// Moves the log into the database, so that its space is free again.
    private func emptyLog() {
        // It only makes room: whether that is enough the next write says.
        try? attempt { try $0.checkpoint() }
    }

    /// Takes the reserve again when it has been used, with the space that pruning has freed.
    func recoverReserve() throws(StoreError) {
        guard wantsReserve, !diskReserve.isHeld else { return }
        _ = try giveBackAllFreePages()
        try? takeReserve()  // still too full: the next append tries again and tells
    }

    /// Gives all free pages back to the file system, in steps whose log fits into the reserve; returns whether there
    /// were any. The log of the next commit needs the space that only the database has.
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
