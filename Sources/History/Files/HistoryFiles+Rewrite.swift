import SQLiteAccess
import TrackEngine

/// How a history is written anew: encrypted, or in plain again.
///
/// 1. All points are written into ``rewrite``. Until step 2 a crash leaves the history as it was.
/// 2. It is synchronised and renamed to ``completedRewrite``. From now on it is the history.
/// 3. The database that was there before is overwritten and removed, and its log.
/// 4. The new database gets its name.
///
/// An opening that finds a completed one goes on with step 3, whatever of it has happened.
extension HistoryFiles {
    /// Removes what an interrupted attempt has left. It holds nothing but what is in the history.
    func removeRewrite() throws(StoreError) {
        for suffix in PosixFile.suffixesOfDatabases { try PosixFile.erase(rewrite + suffix) }
    }

    /// Step 2.
    func completeRewrite(_ environment: HistoryEnvironment) throws(StoreError) {
        try PosixFile.sync(rewrite)
        try PosixFile.rename(rewrite, to: completedRewrite)
        try environment.didTake(.completedRewrite)
    }

    /// Steps 3 and 4.
    func finishRewrite(_ environment: HistoryEnvironment) throws(StoreError) {
        for suffix in PosixFile.suffixesOfDatabases {
            if try PosixFile.erase(database + suffix) { try environment.didTake(.erased) }
        }
        try PosixFile.rename(completedRewrite, to: database)
        try environment.didTake(.replacedDatabase)
    }
}
