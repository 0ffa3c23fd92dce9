import SQLiteAccess
import TrackEngine

/// The files of a change of key.
///
/// 1. All rows are written into ``rewrite``, under the new key. Until step 2 a crash leaves the store as it was.
/// 2. It is synchronised and renamed to ``completedRewrite``. From now on it is the store.
/// 3. What was written before is overwritten and removed: the database, its log, databases that were set aside, copies.
/// 4. The new database gets the store's name.
///
/// A start that finds a completed one goes on with step 3, whatever of it has happened, provided it has the new key.
extension StoreFiles {
    /// What is being written anew.
    var rewrite: String { database + ".rewrite" }
    /// What is written anew and complete, and waits to take the database's place.
    var completedRewrite: String { database + ".rewritten" }

    /// Whether a change of key got as far as its complete database.
    var hasCompletedRewrite: Bool { PosixFile.status(of: completedRewrite) != nil }

    /// The database that the next start goes on with.
    var current: String {
        if hasCompletedRewrite { return completedRewrite }
        return hasCompletedCopy ? completedCopy : database
    }

    /// Its log; a database that waits to take the place has none.
    var currentLog: String? { current == database ? log : nil }

    /// Removes what an interrupted change of key has left. It holds nothing but what is in the store.
    func removeRewrite() throws(StoreError) {
        for suffix in PosixFile.suffixesOfDatabases { try PosixFile.erase(rewrite + suffix) }
    }

    /// Step 2.
    func completeRewrite() throws(StoreError) {
        try PosixFile.sync(rewrite)
        try PosixFile.rename(rewrite, to: completedRewrite)
    }

    /// Steps 3 and 4.
    func finishRewrite(didTake: (OpeningEnvironment.Step) throws(StoreError) -> Void) throws(StoreError) {
        for path in [database, copy, completedCopy] + quarantined.map({ directory + "/" + $0 }) {
            for suffix in PosixFile.suffixesOfDatabases {
                if try PosixFile.erase(path + suffix) { try didTake(.erased(path + suffix)) }
            }
        }
        try PosixFile.rename(completedRewrite, to: database)
        try didTake(.replacedDatabase)
    }
}
