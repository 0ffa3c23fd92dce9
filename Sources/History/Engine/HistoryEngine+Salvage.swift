import SQLiteAccess
import TrackEngine

/// Rewriting a history that rejects changes because of a damaged page; the unreadable rows are left out.
extension HistoryEngine {
    /// Whether there is room to rewrite the history.
    var canBeSalvaged: Bool { environment.roomForSalvage(files.directory) > salvageBytes }

    /// The space that a rewrite takes: that of the pages in use, or of the whole file if their number is unreadable.
    private var salvageBytes: Int64 {
        (try? connection.run { try $0.bytesInUse() }) ?? Int64(PosixFile.size(of: files.database))
    }

    /// Rewrites the history; the damaged database is kept next to it (see ``HistoryFiles/damaged``).
    ///
    /// The rewrite takes as long as encrypting the history and blocks all other callers.
    ///
    /// - Parameter damage: the error that made the rewrite necessary.
    /// - Throws: `damage` when there is no room. The history is then unchanged.
    mutating func salvage(_ damage: StoreError) throws(StoreError) {
        guard canBeSalvaged else {
            throw StoreError(
                .damaged,
                "\(damage.message); to write the history anew takes \(salvageBytes >> 20) MiB, which the disk has not"
            )
        }
        do {
            try HistoryRewrite(files: files, old: seal, new: seal, environment: environment, health: health)
                .run(from: connection)
            try? connection.checkpoint()  // only the copy that is kept aside needs it
            try connection.close()
        } catch {
            // Otherwise the next opening would replace the database with it and undo all changes made until then.
            try PosixFile.erase(files.completedRewrite)
            throw StoreError(database: error)
        }
        try? files.setDamagedAside()  // if it cannot be kept, the next step removes it
        try files.finishRewrite(environment)
        identity = try files.identity()
        do { connection = try HistoryConnection(path: files.database) } catch { throw StoreError(database: error) }
        noteDamagedCopy()
    }

    /// Removes the damaged copy next to a rewritten history, because it may hold points that users remove. Returns
    /// whether the copy existed.
    @discardableResult
    func removeDamagedCopy() throws(StoreError) -> Bool {
        defer { noteDamagedCopy() }
        return try files.removeDamaged()
    }

    /// Removes the damaged copy, if all of it is older than a time.
    func removeDamagedCopy(olderThan time: Timestamp) throws(StoreError) {
        if files.isDamaged(olderThan: time) { try removeDamagedCopy() }
    }

    func noteDamagedCopy() { health.damagedCopy = files.hasDamaged ? files.damaged : nil }
}
