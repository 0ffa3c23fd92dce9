import SQLiteAccess
import TrackEngine

/// The damaged database that a rewrite replaced.
///
/// An expert may still be able to read more of it. Because it also holds points that users remove later, it is
/// removed with the first removal that a caller requests, and when all of it is too old for the retention. On a full
/// disk it is removed first.
extension HistoryFiles {
    /// The path of the damaged database.
    var damaged: String { database + ".damaged" }

    /// Whether a damaged database exists.
    var hasDamaged: Bool { PosixFile.status(of: damaged) != nil }

    /// Renames the database to ``damaged``, once the rewritten one is complete.
    func setDamagedAside() throws(StoreError) {
        try removeDamaged()
        try PosixFile.rename(database, to: damaged)
    }

    /// Overwrites and removes it. Returns whether it existed.
    @discardableResult
    func removeDamaged() throws(StoreError) -> Bool { try PosixFile.erase(damaged) }

    /// Whether it was last modified before a time, so that all of it is older.
    func isDamaged(olderThan time: Timestamp) -> Bool {
        PosixFile.status(of: damaged).map { $0.modified < time } ?? false
    }
}
