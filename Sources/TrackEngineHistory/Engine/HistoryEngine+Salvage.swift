import SQLiteAccess
import TrackEngine

/// Rewriting a history that rejects changes because of a damaged page; the unreadable rows are left out.
extension HistoryEngine {
    /// Whether there is room to rewrite the history, and to keep its damaged database.
    var canBeSalvaged: Bool { files.hasRoomForDamaged && environment.roomForSalvage(files.directory) > salvageBytes }

    /// The space that a rewrite takes: that of the pages in use, or of the whole file if their number is unreadable.
    private var salvageBytes: Int64 {
        (try? connection.run { try $0.bytesInUse() }) ?? Int64(DatabaseFile.size(of: files.database))
    }

    /// Rewrites the history; the damaged database is kept next to it (see ``HistoryFiles/damagedCopies``).
    ///
    /// The rewrite takes as long as encrypting the history and blocks all other callers.
    ///
    /// - Parameter damage: the error that made the rewrite necessary.
    /// - Throws: `damage` when there is no room, or when as many damaged databases are kept as may be. The history is
    ///   then unchanged.
    mutating func salvage(_ damage: StoreError) throws(StoreError) {
        guard files.hasRoomForDamaged else { throw files.tooManyDamaged }
        guard canBeSalvaged else {
            throw StoreError(
                .damaged,
                "\(damage.message); to write the history anew takes \(salvageBytes >> 20) MiB, which the disk has not"
            )
        }
        do {
            try? connection.checkpoint()  // otherwise the log is read, too
            // Whoever closes a file that SQLite has open releases SQLite's locks (fcntl_locking(2)): the next program that
            // closes the history would remove the log of this one.
            try connection.close()
            try HistorySalvage(files: files, seal: seal, environment: environment, health: health)
                .run(demandingRows: false)
        } catch {
            // Otherwise the next opening would replace the database with it and undo all changes made until then.
            try files.discardSalvage()
            try connect()
            throw StoreError(database: error)
        }
        try files.finishRewrite(environment)
        identity = try files.identity()
        try connect()
        health.noteRewrite()
        noteDamagedCopies()
    }

    private mutating func connect() throws(StoreError) {
        do { connection = try HistoryConnection(path: files.database) } catch { throw StoreError(database: error) }
    }

    /// Erases the damaged copies because of a removal: the device's points may be on any unreadable page.
    func forgetCopies() throws(StoreError) {
        let count = files.damagedCopies.count
        if try removeDamagedCopies() { health.noteErased(count) }
    }

    /// Removes the damaged copies next to a rewritten history, to make room or because of their age. Returns whether
    /// there were any.
    ///
    /// - Parameter time: spares copies that may hold something newer; `nil` for none.
    @discardableResult
    func removeDamagedCopies(olderThan time: Timestamp? = nil) throws(StoreError) -> Bool {
        defer { noteDamagedCopies() }
        return try files.removeDamaged(olderThan: time)
    }

    func noteDamagedCopies() { health.damagedCopies = files.damagedCopies }
}
