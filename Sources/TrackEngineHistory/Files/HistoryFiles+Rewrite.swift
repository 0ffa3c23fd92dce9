import SQLiteAccess
import TrackEngine

/// The steps of a rewrite of a history: encrypted, in plain again, or without damaged pages.
///
/// 1. All points are written into ``rewrite``. Until step 2 a crash leaves the history as it was.
/// 2. It is synchronised and renamed to ``completedRewrite``, or to ``completedSalvage`` if the old database is damaged.
///    From now on it is the history.
/// 3. The old database and its log are overwritten and removed; a damaged one is renamed (see ``damagedCopies``).
/// 4. The new database gets its name.
///
/// An opening that finds a completed rewrite continues with step 3, however much of it was done.
extension HistoryFiles {
    /// Removes the files of an interrupted attempt. All their contents are in the history.
    func removeRewrite() throws(StoreError) {
        for suffix in DatabaseFile.suffixesOfDatabases { try DatabaseFile.erase(rewrite + suffix) }
    }

    /// Step 2.
    ///
    /// - Parameter path: ``completedRewrite`` or ``completedSalvage``.
    func completeRewrite(as path: String, _ environment: HistoryEnvironment) throws(StoreError) {
        try DatabaseFile.sync(rewrite)
        try DatabaseFile.rename(rewrite, to: path)
        try environment.didTake(.completedRewrite)
    }

    /// Steps 3 and 4; without a complete rewrite, nothing is done.
    func finishRewrite(_ environment: HistoryEnvironment) throws(StoreError) {
        guard let replacement else { return }
        if replacement == completedSalvage { try setDamagedAside(environment) }
        for suffix in DatabaseFile.suffixesOfDatabases {
            if try DatabaseFile.erase(database + suffix) { try environment.didTake(.erased) }
        }
        try DatabaseFile.rename(replacement, to: database)
        try environment.didTake(.replacedDatabase)
    }
}
