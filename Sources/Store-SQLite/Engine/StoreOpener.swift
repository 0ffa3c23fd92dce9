import GRDB
import Logging
import TrackEngine

/// Opens a store's database whatever state it is in: sound, unfinished, damaged, missing.
struct StoreOpener {
    /// A database that can be used.
    struct Opened {
        let connection: Connection
        let figures: Figures
        let ledger: StoreLedger
    }

    let files: StoreFiles
    let logger: Logger

    /// Opens the database; sets a damaged one aside and begins a fresh one with what is readable of it.
    ///
    /// - Parameter ledger: what the file beside the database says; `nil` when it is missing or damaged.
    func open(ledger: StoreLedger?, now: Timestamp) throws(StoreError) -> Opened {
        if files.hasOrphanedLog { _ = try files.setAside(now: now) }
        do {
            return try openAsIs(ledger)
        } catch {
            guard isDamage(error) else { throw StoreError(error) }
            logger.error("store is damaged and is set aside", metadata: ["error": "\(StoreError(error))"])
        }
        let aside = try files.setAside(now: now)
        do {
            return try begin(afresh: ledger, from: aside)
        } catch {
            throw StoreError(error)
        }
    }

    private func isDamage(_ error: any Error) -> Bool {
        if let error = error as? DatabaseError { return error.meansDamageAtOpening }
        return (error as? StoreError)?.code == .damaged
    }

    private func openAsIs(_ ledger: StoreLedger?) throws -> Opened {
        let isFresh = PosixFile.size(of: files.database) == 0
        try Schema.refuseNewer(path: files.database)
        try files.prepareDatabase()
        let connection = try Connection(path: files.database)
        do {
            try Schema.prepare(connection)
            if !isFresh && ledger?.countAtClose == nil { try refuseDefects(of: connection) }
            if isFresh { try continueSequence(of: connection, after: ledger?.ceiling ?? 0) }
            return try opened(connection, count: isFresh ? nil : ledger?.countAtClose)
        } catch {
            try? connection.close()  // the error that matters is the one at hand
            throw error
        }
    }

    private func refuseDefects(of connection: Connection) throws {
        let defects = try connection.defects()
        guard defects.isEmpty else { throw StoreError(.damaged, defects.joined(separator: "; ")) }
    }

    private func begin(afresh ledger: StoreLedger?, from aside: String) throws -> Opened {
        try files.prepareDatabase()
        let connection = try Connection(path: files.database)
        do {
            try Schema.prepare(connection)
            let salvage = Salvage(path: aside, logger: logger)
            let last = try salvage.run(into: connection)
            // Without a ledger the last number is not known for certain, so a step is left out.
            try continueSequence(of: connection, after: max(ledger?.ceiling ?? last + StoreLedger.step, last))
            return try opened(connection, count: nil)
        } catch {
            try? connection.close()  // the error that matters is the one at hand
            throw error
        }
    }

    private func continueSequence(of connection: Connection, after place: Int64) throws {
        guard place > 0 else { return }
        try connection.commit(.durable) { try RecordTable($0).continueSequence(after: place) }
    }

    /// Marks the store as open, so that a crash is known as one, and reserves the first numbers.
    private func opened(_ connection: Connection, count: Int?) throws -> Opened {
        let figures = try connection.run { try Figures($0, count: count) }
        let ledger = StoreLedger(ceiling: figures.last + StoreLedger.step, countAtClose: nil)
        try ledger.write(to: files.ledger)
        return Opened(connection: connection, figures: figures, ledger: ledger)
    }
}
