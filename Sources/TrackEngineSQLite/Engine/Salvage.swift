import Logging
import SQLiteAccess
import TrackEngine

/// Copies the readable rows of a damaged database into a separate file.
///
/// The damaged files are only read, page by page and without SQLite, which rejects a whole table because of one page.
/// That is possible because the tables are known, and the rows have checks. One reader handles all kinds of damage.
struct Salvage {
    /// The result of the copy.
    struct Outcome {
        /// The number of records and dead letters that were copied.
        var count = 0
        /// The last sequence number that the copy records as assigned.
        var last: Int64 = 0
        /// The number of records missing among those that were copied, as far as gaps show it.
        var missing: Int64 = 0
    }

    let files: StoreFiles
    let logger: Logger
    let environment: StoreEnvironment
    /// The encryption of the store's rows.
    let seal: RowCipher?

    /// Copies the rows into ``StoreFiles/copy`` and completes it.
    ///
    /// - Parameters:
    ///   - log: the database's log, as it was before SQLite opened it.
    ///   - ledger: the contents of the ledger; `nil` if it is missing or damaged.
    /// - Throws: read errors, and ``StoreError/Code/full`` if there is no room for a second database. The damaged
    ///   database is then unchanged, and the copy is removed.
    func run(log: WriteAheadLog?, ledger: StoreLedger?) throws -> Outcome {
        try files.removeCopy()
        do {
            let outcome = try copy(log, ledger)
            try files.completeCopy()
            try environment.didTake(.completedCopy)
            return outcome
        } catch {
            try? files.removeCopy()  // otherwise the next start removes it; the original error matters
            throw explained(error)
        }
    }

    private func explained(_ error: any Error) -> any Error {
        let error = StoreError(database: error)
        guard error.code == .full else { return error }
        return StoreError(
            .full, "the store is damaged, and its repair needs as much room again on the disk: \(error.message)")
    }

    private func copy(_ log: WriteAheadLog?, _ ledger: StoreLedger?) throws -> Outcome {
        let pages = try DatabasePages(
            database: ReadOnlyFile(files.database, willRead: environment.willRead), log: log)
        let seal = try seal.flatMap { try isEncrypted(pages) ? $0 : nil }
        try DatabaseFile.openPrivate(files.copy)
        let target = try Connection(copyAt: files.copy)
        do {
            _ = try Schema.prepare(target, path: files.copy, seal)
            try environment.didTake(.beganCopy)
            let outcome = try target.commit(.durable) { try copy(pages, into: $0, ledger, seal) }
            try target.close()
            try environment.didTake(.wroteCopy)
            return outcome
        } catch {
            try? target.close()  // its file is removed
            throw error
        }
    }

    /// Whether the damaged database was encrypted, according to its header or its rows. An unencrypted one is copied
    /// as it is, and encrypted afterwards.
    private func isEncrypted(_ pages: DatabasePages) throws -> Bool {
        if Schema.isSealed(path: files.database) { return true }
        var count = RowCount()
        try pages.visit { number, page in
            if !count.hasSealed { count.take(page, isFirst: number == 1) }
        }
        return count.hasSealed || !count.hasPlain
    }

    private func copy(
        _ pages: DatabasePages, into db: Database, _ ledger: StoreLedger?, _ seal: RowCipher?
    ) throws -> Outcome {
        var rows = SalvageWriter(db, seal)
        var told = 0
        try pages.visit { number, page in
            try rows.take(page, isFirst: number == 1) { try pages.whole($0) }
            if rows.count - told >= 1_000 {
                told = rows.count
                try environment.didTake(.copiedRows(told))
            }
        }
        try rows.refuseWrongKey()
        try rows.writeNamed()
        return try finish(rows, in: db, ledger)
    }

    private func finish(_ rows: SalvageWriter, in db: Database, _ ledger: StoreLedger?) throws -> Outcome {
        var outcome = Outcome(count: rows.count)
        let last = max(try NewestSequence.read(db), rows.lastSequence)
        outcome.missing = try MissingRecords(db).countAll(through: rows.lastSequence)
        // Without a ledger the last number is not certain, so a step is skipped.
        outcome.last = max(ledger?.ceiling ?? (last + StoreLedger.step), last)
        if ledger == nil { outcome.last = StoreLedger.ceiling(above: outcome.last) }
        try RecordTable(db).continueSequence(after: outcome.last)
        var counters = try StoreCounts.Saved(db)
        let before = counters
        counters.lost += outcome.missing
        counters.damaged += Int64(rows.damaged)
        counters.lostThrough = last
        try counters.save(over: before, in: db)
        return outcome
    }
}
