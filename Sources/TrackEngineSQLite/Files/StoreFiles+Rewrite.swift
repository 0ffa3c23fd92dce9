import SQLiteAccess
import TrackEngine

/// The files of a change of key.
///
/// 1. All rows are written into ``rewrite``, under the new key. Until step 2 a crash leaves the store unchanged.
/// 2. The file is synchronised and renamed to ``completedRewrite``. From now on it is the store.
/// 3. The old data is overwritten and removed: the database, its log, databases that were set aside, copies.
/// 4. The new database gets the store's name.
///
/// A start that finds a completed rewrite continues with step 3, no matter how much of it has happened, provided that
/// it has the new key.
extension StoreFiles {
    /// The unfinished new database.
    var rewrite: String { database + ".rewrite" }
    /// The complete new database that has not replaced the old one yet.
    var completedRewrite: String { database + ".rewritten" }

    /// Whether a change of key has completed its new database.
    var hasCompletedRewrite: Bool { FileStatus.at(completedRewrite) != nil }

    /// The database with which the next start continues.
    var current: String {
        if hasCompletedRewrite { return completedRewrite }
        return hasCompletedCopy ? completedCopy : database
    }

    /// The log of the current database; a database that has not replaced the old one yet has none.
    var currentLog: String? { current == database ? log : nil }

    /// Removes the remains of an interrupted change of key. All of its data is also in the store.
    func removeRewrite() throws(StoreError) {
        for suffix in DatabaseFile.suffixesOfDatabases { try DatabaseFile.erase(rewrite + suffix) }
    }

    /// Step 2.
    func completeRewrite() throws(StoreError) {
        try DatabaseFile.sync(rewrite)
        try DatabaseFile.rename(rewrite, to: completedRewrite)
    }

    /// Steps 3 and 4.
    func finishRewrite(didTake: (StoreEnvironment.Step) throws(StoreError) -> Void) throws(StoreError) {
        for path in [database, copy, completedCopy] + quarantined.map({ directory + "/" + $0 }) {
            for suffix in DatabaseFile.suffixesOfDatabases {
                if try DatabaseFile.erase(path + suffix) { try didTake(.erased(path + suffix)) }
            }
        }
        try DatabaseFile.rename(completedRewrite, to: database)
        try didTake(.replacedDatabase)
    }
}
