import SQLiteAccess
import TrackEngine

/// Detection of the removal of the store's files while it is open.
extension StoreEngine {
    /// Rejects an append if no path leads to the open files any more.
    ///
    /// Called before a commit and again before it is acknowledged; it costs two `stat` calls. Records that were
    /// accepted before can still be read and delivered as long as the store stays open.
    func refuseIfRemoved() throws(StoreError) {
        guard isRemoved() else { return }
        throw StoreError(
            .removed,
            "the files in \(files.directory) have been removed or replaced; restart to begin a new store there")
    }

    /// Whether the path of the database or of its log leads to a different file than the open one, or to none.
    func isRemoved() -> Bool {
        guard let connection = openConnection else { return false }
        return connection.db.hasMoved || FileStatus.at(files.log) == nil
    }
}
