import SQLiteAccess
import TrackEngine

/// The database that was there before a damaged history was written anew.
///
/// It may hold what an expert can still read. Because it also holds what people remove later, it goes with the first removal that
/// somebody asks for, and when all of it is too old for the retention; on a full disk it goes first.
extension HistoryFiles {
    /// Where it is.
    var damaged: String { database + ".damaged" }

    /// Whether there is one.
    var hasDamaged: Bool { PosixFile.status(of: damaged) != nil }

    /// Gives a database's file its name, where what is written anew is complete.
    func setDamagedAside() throws(StoreError) {
        try removeDamaged()
        try PosixFile.rename(database, to: damaged)
    }

    /// Overwrites and removes it; returns whether there was one.
    @discardableResult
    func removeDamaged() throws(StoreError) -> Bool { try PosixFile.erase(damaged) }

    /// Whether nothing in it is newer than a time.
    func isDamaged(olderThan time: Timestamp) -> Bool {
        PosixFile.status(of: damaged).map { $0.modified < time } ?? false
    }
}
