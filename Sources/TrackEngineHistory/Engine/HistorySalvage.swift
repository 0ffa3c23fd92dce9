import SQLiteAccess
import TrackEngine

/// Writes the readable rows of a damaged history into a new database.
///
/// The damaged file is read page by page and without SQLite, which reaches no page below a damaged one. The rows keep
/// their numbers and their sealed contents.
struct HistorySalvage {
    let files: HistoryFiles
    let seal: HistoryCipher?
    let environment: HistoryEnvironment
    /// Collects what cannot be read.
    let health: HistoryHealth

    /// The number of rows that are written between two steps.
    private static let rowsAtOnce = 5_000

    /// Writes the new database and completes it (see ``HistoryFiles/completedSalvage``).
    ///
    /// - Parameter demandsRows: whether a file without any readable point and event is an error.
    /// - Throws: ``StoreError/Code/full`` when there is no room for a second database. The history is then unchanged.
    func run(demandingRows demandsRows: Bool) throws(StoreError) {
        do {
            try files.removeRewrite()
            _ = try DatabaseFile.openPrivate(files.rewrite)
            guard try write() > 0 || !demandsRows else {
                throw StoreError(.damaged, "no point in it can be read")
            }
            try files.completeRewrite(as: files.completedSalvage, environment)
        } catch {
            // Complete or discarded; files that cannot be removed now are removed by the next attempt.
            if files.replacement == nil { try? files.removeRewrite() }
            throw HistoryRewrite.explained(StoreError(database: error))
        }
    }

    /// Returns the number of points and events.
    private func write() throws -> Int {
        let pages = try DatabasePages(
            database: ReadOnlyFile(files.database), log: WriteAheadLog(path: files.log))
        let target = try HistoryConnection(path: files.rewrite, for: .rewrite)
        do {
            if seal == nil { try HistorySchema.prepare(target) }
            let count = try target.commit { db in
                if let seal { try HistorySchema.prepareSealed(db, seal) }
                return try copy(pages, HistoryTableSet(db: db, seal: seal))
            }
            try target.close()
            return count
        } catch {
            try? target.close()  // its file is removed
            throw error
        }
    }

    private func copy(_ pages: DatabasePages, _ tables: HistoryTableSet) throws -> Int {
        var rows = RowSalvage(tables: tables)
        var told = 0
        var isDamaged = try pages.isCutOff()
        try pages.visit { number, page in
            guard number != .max else { return }  // not committed for SQLite, and perhaps removed since
            if IndexPage.isMarked(page) {
                let isWhole = try rows.take(number, page, of: pages)
                if !isWhole { isDamaged = true }
            } else if try pages.isUnreadable(number, page) {
                isDamaged = true
            }
            if rows.count - told >= Self.rowsAtOnce {
                told = rows.count
                try environment.didTake(.rewrote(told))
            }
        }
        guard !rows.isOfOtherForm else { throw seal == nil ? HistoryKeyGuard.missing : HistoryKeyGuard.wrong }
        if isDamaged || rows.hasMisplaced { health.noteDamage(ofTable: "point") }
        let names = NameSalvage(pages: pages, tables: tables)
        for kind in NamedTable.Kind.allCases {
            if try !names.copy(kind, rows.devices) { health.noteDamage(ofTable: kind.rawValue) }
        }
        try environment.didTake(.rewrote(rows.count))
        return rows.count
    }
}
