import Logging
import SQLiteAccess
import TrackEngine

/// Opens a store's database in any state: sound, unfinished, damaged, missing.
struct StoreOpener {
    /// A usable database.
    struct OpenDatabase {
        let connection: Connection
        var counters: StoreCounts
        let ledger: StoreLedger
        /// The next record's number is above this one.
        let floor: Int64
        /// A notice to the operator about this opening.
        var notice: String?
        /// Whether the whole database has been checked.
        let isChecked: Bool
        /// The form in which it keeps the contents of its rows.
        let form: Schema.Format
    }

    /// The result of an attempt to open the database.
    private enum Outcome {
        case opened(OpenDatabase)
        /// The file is not a database of this store, or parts of it are impossible.
        case damaged(StoreError)
        /// The file could not be read, which is no evidence of damage.
        case unreadable(StoreError)
        /// The file is readable but must not be used, or there is another obstacle.
        case refused(StoreError)
    }

    let files: StoreFiles
    let logger: Logger
    let environment: StoreEnvironment
    /// The encryption that the store's rows should have.
    let seal: RowCipher?

    /// Opens the database. A damaged one is replaced with a copy of its readable rows, and set aside.
    ///
    /// - Parameters:
    ///   - ledger: the contents of the ledger file; `nil` if it is missing or damaged.
    ///   - acknowledged: the last assigned number, if the caller knows it; `nil` at a start.
    ///   - isDamaged: whether the database is known to need a repair.
    /// - Throws: ``StoreError/Code/inputOutput`` if the database cannot be read although the store waited,
    ///   ``StoreError/Code/foreignDatabase`` if it belongs to another program, ``StoreError/Code/wrongKey`` if it is
    ///   encrypted under another key (no file has been changed then), or if an unencrypted database has replaced an
    ///   encrypted one.
    func open(
        ledger: StoreLedger?, acknowledged: Int64? = nil, isDamaged: Bool = false, now: Timestamp
    ) throws(StoreError) -> OpenDatabase {
        try files.requireRegular()
        try completeRewrite()
        let opened = try openAnyForm(ledger: ledger, acknowledged: acknowledged, isDamaged: isDamaged, now: now)
        guard let seal else { return opened }
        let mark = EncryptionMark(of: files.database)
        guard opened.form == .plain else {
            try? mark.set()  // a full disk must not stop the store; the next opening sets it
            return opened
        }
        guard !mark.isSet else {
            try? opened.connection.close()  // the error that matters is the refusal
            throw mark.refusal
        }
        let encrypted = try encrypt(opened, seal)
        try? mark.set()  // as above
        return encrypted
    }

    private func openAnyForm(
        ledger: StoreLedger?, acknowledged: Int64? = nil, isDamaged: Bool = false, now: Timestamp
    ) throws(StoreError) -> OpenDatabase {
        if files.hasCompletedCopy {
            try ForeignTableCheck.refuse(path: files.database, log: nil)
            logger.notice("an interrupted repair of the store is completed")
            try replaceDatabase(now)
        }
        var patience = OpenRetry(environment: environment, logger: logger)
        // When SQLite closes a database it removes the log, including parts that it did not understand.
        let log = try patience.read { () throws(StoreError) in
            try WriteAheadLog(path: files.log, willRead: environment.willRead)
        }
        try ForeignTableCheck.refuse(path: files.database, log: log)
        let attempt = Attempt(ledger: ledger, acknowledged: acknowledged, log: log)
        if files.hasOrphanedLog { return try repair(attempt, StoreError(.damaged, "a log has no database"), now) }
        if isDamaged { return try repair(attempt, StoreError(.damaged, "damage has shown at work"), now) }
        return try open(attempt, &patience, now)
    }

    /// Reads the ledger file; `nil` if it is missing or damaged.
    func readLedger() throws(StoreError) -> StoreLedger? {
        try files.requireRegular()
        var patience = OpenRetry(environment: environment, logger: logger)
        return try patience.read { () throws(StoreError) in
            try StoreLedger.read(path: files.ledger, willRead: environment.willRead)
        }
    }

    struct Attempt {
        let ledger: StoreLedger?
        let acknowledged: Int64?
        let log: WriteAheadLog?
    }

    /// Opens the database, waiting after a read error. Damage is accepted only if the whole database could be read and
    /// looked damaged again afterwards: a read error can make a sound database look damaged.
    private func open(
        _ attempt: Attempt, _ patience: inout OpenRetry, _ now: Timestamp
    ) throws(StoreError) -> OpenDatabase {
        var wasDamaged = false
        while true {
            switch verdict(attempt) {
            case .opened(let opened): return opened
            case .refused(let error): throw error
            case .unreadable(let error):
                wasDamaged = false
                try patience.wait(after: error)
            case .damaged(let error):
                if wasDamaged { return try repair(attempt, error, now) }
                try patience.read(probe)
                wasDamaged = true
            }
        }
    }

    private func probe() throws(StoreError) {
        for path in [files.database, files.log] {
            try ReadOnlyFile(path, willRead: environment.willRead)?.probe()
        }
    }

    private func verdict(_ attempt: Attempt) -> Outcome {
        do {
            return .opened(try openAsIs(attempt))
        } catch let error as DatabaseError {
            if error.isReadFailure { return .unreadable(StoreError(database: error)) }
            return error.meansDamageAtOpening
                ? .damaged(StoreError(database: error)) : .refused(StoreError(database: error))
        } catch {
            let error = StoreError(database: error)
            return error.code == .damaged ? .damaged(error) : .refused(error)
        }
    }
}

// MARK: - Opening

extension StoreOpener {
    func openAsIs(_ attempt: Attempt) throws -> OpenDatabase {
        let ledger = attempt.ledger
        let isFresh = DatabaseFile.size(of: files.database) == 0
        // The first check may have been prevented by a read error; the file is readable now.
        try ForeignTableCheck.refuse(path: files.database, log: attempt.log)
        try Schema.refuseNewer(path: files.database)
        try files.prepareDatabase()
        let connection = try Connection(path: files.database)
        do {
            if try KeyGuard.repairCheck(connection, seal) {
                logger.warning(
                    "the check of the store's key was damaged, and is written anew: the store's rows open with the key"
                )
            }
            let form = try Schema.prepare(connection, path: files.database, seal)
            let seal = form == .sealed ? seal : nil
            let isChecked = !isFresh && ledger?.countAtClose == nil
            if isChecked { try refuseDefects(of: connection) }
            var floor = try connection.run { try NewestSequence.read($0) }
            if isChecked, let log = attempt.log { floor = max(floor, try rescue(log, into: connection, seal)) }
            floor = max(floor, attempt.acknowledged ?? ledger?.ceiling ?? 0)
            let counters = try connection.run {
                try StoreCounts($0, count: isFresh ? nil : ledger?.countAtClose, seal)
            }
            var opened = try opened(connection, counters, floor: floor, ledger, isChecked: isChecked, form)
            opened.notice = try missing(ledger, isFresh: isFresh, &opened.counters, connection)
            return opened
        } catch {
            try? connection.close()  // the original error matters
            throw error
        }
    }

    private func refuseDefects(of connection: Connection) throws {
        let defects = try connection.defects()
        guard defects.isEmpty else { throw StoreError(.damaged, defects.joined(separator: "; ")) }
    }

    /// Recovers records of commits that follow damage in the log; returns the highest number among them.
    ///
    /// SQLite silently ends the log at the first damaged frame. After a power cut there may be frames behind it that
    /// were never synchronised; their records were never acknowledged, and it is harmless to have them.
    private func rescue(
        _ log: WriteAheadLog, into connection: Connection, _ seal: RowCipher?
    ) throws -> Int64 {
        guard !log.stranded.isEmpty else { return 0 }
        let pages = try DatabasePages(database: nil, log: log)
        let (count, last) = try connection.commit(.durable) { db in
            let last = try StoreCounts(db, count: 0, seal).last
            var rows = SalvageWriter(db, after: last, seal)
            try pages.visitStranded { page in
                try rows.take(page, isFirst: false) { _ in nil }
            }
            return (rows.count, try StoreCounts(db, count: 0, seal).last)
        }
        if count > 0 {
            logger.error("records taken over from behind damage in the store's log", metadata: ["count": "\(count)"])
        }
        return last
    }

    /// Marks the store as open, so that a crash is recognised, and reserves the first numbers.
    private func opened(
        _ connection: Connection, _ counters: StoreCounts, floor: Int64, _ ledger: StoreLedger?, isChecked: Bool,
        _ form: Schema.Format
    ) throws -> OpenDatabase {
        var floor = max(floor, counters.last)
        // Earlier releases reserved numbers up to any ceiling: the rest of a reservation must end at a known number.
        if let ledger, ledger.countAtClose == nil, floor == ledger.ceiling, floor % StoreLedger.step != 0 {
            floor = StoreLedger.ceiling(above: floor)
        }
        let ceiling = max(StoreLedger.ceiling(above: floor), ledger?.ceiling ?? 0)
        let ledger = StoreLedger(ceiling: ceiling, countAtClose: nil)
        try ledger.write(to: files.ledger)
        return OpenDatabase(
            connection: connection, counters: counters, ledger: ledger, floor: floor, notice: nil, isChecked: isChecked,
            form: form)
    }

    /// Reports that the records are lost if the ledger refers to a database that is missing or empty now.
    private func missing(
        _ ledger: StoreLedger?, isFresh: Bool, _ counters: inout StoreCounts, _ connection: Connection
    ) throws -> String? {
        guard let ledger, ledger.ceiling > 0 else { return nil }
        let notice: String
        if let count = ledger.countAtClose, count > 0,
            try isFresh || connection.run({ try RecordTable($0).first() }) == nil
        {
            counters.count = 0
            notice = "the store was closed with \(count) record(s) and has none now"
        } else if isFresh && ledger.countAtClose == nil {
            notice = "the database that the store had at its last run is missing"
        } else {
            return nil
        }
        logger.error("records of the store are gone", metadata: ["reason": "\(notice)"])
        return notice
    }
}

// MARK: - Repair

extension StoreOpener {
    private func repair(_ attempt: Attempt, _ error: StoreError, _ now: Timestamp) throws(StoreError) -> OpenDatabase {
        logger.error("store is damaged, readable rows are copied", metadata: ["error": "\(error)"])
        do {
            let salvage = Salvage(files: files, logger: logger, environment: environment, seal: seal)
            let outcome = try salvage.run(log: attempt.log, ledger: attempt.ledger)
            try replaceDatabase(now)
            var opened = try openAsIs(
                Attempt(
                    ledger: attempt.ledger.map { StoreLedger(ceiling: $0.ceiling, countAtClose: nil) },
                    acknowledged: attempt.acknowledged, log: nil))
            opened.notice = report(outcome)
            return opened
        } catch {
            throw StoreError(database: error)
        }
    }

    private func replaceDatabase(_ now: Timestamp) throws(StoreError) {
        let aside = try files.replaceDatabase(now: seal == nil ? now : nil, didTake: environment.didTake)
        logger.error("damaged store is set aside", metadata: ["file": "\(aside)"])
        for name in try files.limitQuarantine(to: nil) {
            logger.notice("oldest damaged store is removed", metadata: ["file": "\(name)"])
        }
    }

    private func report(_ outcome: Salvage.Outcome) -> String? {
        guard outcome.count > 0 else {
            logger.error("no record could be taken over from the damaged store")
            return "no record could be taken over from a damaged database"
        }
        logger.notice(
            "records taken over from the damaged store",
            metadata: ["count": "\(outcome.count)", "missing": "\(outcome.missing)"])
        return nil
    }
}
