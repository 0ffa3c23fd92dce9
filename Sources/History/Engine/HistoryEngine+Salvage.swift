import SQLiteAccess
import TrackEngine

/// A history that takes no change because a page is damaged is written anew, without what cannot be read.
extension HistoryEngine {
    /// Whether there is room to write the history anew.
    var canBeSalvaged: Bool {
        environment.roomForSalvage(files.directory) > PosixFile.size(of: files.database)
    }

    /// Writes the history anew; what there was before is kept beside it (see ``HistoryFiles/damaged``).
    ///
    /// It takes as long as encrypting the history, and nobody else has a turn meanwhile.
    ///
    /// - Parameter damage: why.
    /// - Throws: `damage` where there is no room. The history is then as it was.
    mutating func salvage(_ damage: StoreError) throws(StoreError) {
        guard canBeSalvaged else {
            let size = PosixFile.size(of: files.database)
            throw StoreError(
                .damaged, "\(damage.message); to write the history anew takes \(size >> 20) MiB, which the disk has not"
            )
        }
        do {
            try HistoryRewrite(files: files, old: seal, new: seal, environment: environment, health: health)
                .run(from: connection)
            try? connection.checkpoint()  // only what is kept aside needs it
            try connection.close()
        } catch {
            // With the next opening it would take the place of what is changed until then.
            try PosixFile.erase(files.completedRewrite)
            throw StoreError(database: error)
        }
        try? files.setDamagedAside()  // if it cannot be kept, the next step removes it
        try files.finishRewrite(environment)
        identity = try files.identity()
        do { connection = try HistoryConnection(path: files.database) } catch { throw StoreError(database: error) }
        noteDamagedCopy()
    }

    /// Removes the file that is kept beside a history that was written anew, because people remove what it may hold; returns
    /// whether there was one.
    @discardableResult
    func removeDamagedCopy() throws(StoreError) -> Bool {
        defer { noteDamagedCopy() }
        return try files.removeDamaged()
    }

    /// The same, if all in it is older than a time.
    func removeDamagedCopy(olderThan time: Timestamp) throws(StoreError) {
        if files.isDamaged(olderThan: time) { try removeDamagedCopy() }
    }

    func noteDamagedCopy() { health.damagedCopy = files.hasDamaged ? files.damaged : nil }
}
