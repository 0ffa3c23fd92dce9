import Logging
import SQLiteAccess
import TrackEngine

/// The blocking implementation of the store; ``SQLiteFixStore`` runs it on a thread of its own.
///
/// All access goes through ``read(_:)`` and ``write(_:_:)``, which replace a connection that cannot be trusted any
/// more.
final class StoreEngine {
    private enum Access {
        /// The database can be read and written. A failed write leads to `broken`.
        case sound(Connection)
        /// Reading or writing failed, and so did opening again. Each call tries again, which leads to `sound`.
        case broken(StoreError)
    }

    /// The holder of a store's lock, for the message to another caller that wants it.
    static let lockOwner = "another process, or another store in this one,"

    let files: StoreFiles
    let logger: Logger
    private let lock: FileLock
    private var access: Access
    private(set) var ledger: StoreLedger
    private(set) var counters: StoreCounts
    var diskReserve: ReserveFile
    /// Whether the reserve was needed since new data was last written.
    var hasUsedReserve = false
    let environment: StoreEnvironment
    /// The encryption of the store's rows; `nil` if they are unencrypted.
    let seal: RowCipher?

    /// No number up to this one is assigned again, even if the database knows only lower ones.
    private var floor: Int64
    /// A notice to the operator about how the database was opened.
    private(set) var notice: String?
    /// The number of times the database was opened again; rows that were read before may have been removed.
    private(set) var openings = 0
    /// The number of consecutive times damage was found. After the second time the database is repaired without
    /// another check.
    private var damageSeen = 0
    /// Whether the whole database has been checked since it was opened.
    var isChecked: Bool

    /// The limits of the store; `sinks` are those with cursors that hold records back.
    private(set) var retention = RetentionConfiguration()
    private(set) var sinks: Set<SinkID> = []

    /// The reason why the last write failed, until one succeeds.
    var trouble: StoreError?

    /// The number of transactions that were synchronised to the disk; for tests of group commit.
    private(set) var durableCommits = 0

    init(
        directory: String, logger: Logger, environment: StoreEnvironment, key: StoreKey?, now: Timestamp
    ) throws(StoreError) {
        let seal = try key.map { key throws(StoreError) in try RowCipher(key) }
        self.seal = seal
        files = StoreFiles(directory: directory)
        self.logger = logger
        self.environment = environment
        try files.prepareDirectory()
        if FileStatus.following(directory)?.isPrivateToUser == false {
            logger.warning("store's directory is open to other users", metadata: ["directory": "\(directory)"])
        }
        try files.requireRegular()  // before any file is created next to the files of another user
        lock = try FileLock.database(files.lock, takenBy: Self.lockOwner)
        diskReserve = try ReserveFile(path: files.reserve, in: files.directory)
        let opener = StoreOpener(files: files, logger: logger, environment: environment, seal: seal)
        let opened = try opener.open(ledger: opener.readLedger(), now: now)
        access = .sound(opened.connection)
        counters = opened.counters
        ledger = opened.ledger
        floor = opened.floor
        notice = opened.notice
        isChecked = opened.isChecked
        adjustReserve()
    }

    /// Reads, outside a transaction: there is one connection, and it does one thing at a time.
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try attempt { connection in try connection.run(body) }
    }

    /// Writes in one transaction, on a full disk with the space of the reserve. The counters change with the commit or
    /// not at all.
    func write<Result>(
        _ durability: Database.Durability, _ body: (Database, inout StoreCounts) throws -> Result
    ) throws(StoreError) -> Result {
        try noteTrouble { () throws(StoreError) -> Result in
            try withReserve { () throws(StoreError) -> Result in try commit(durability, body) }
        }
    }

    /// Writes new data in one transaction, which must not use the reserve.
    func writeNew<Result>(_ body: (Database, inout StoreCounts) throws -> Result) throws(StoreError) -> Result {
        try noteTrouble { () throws(StoreError) -> Result in
            try takeReserve()
            let result = try commit(.durable, body)
            noteRoom()
            return result
        }
    }

    private func noteTrouble<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            let result = try work()
            trouble = nil
            return result
        } catch {
            trouble = error
            throw error
        }
    }

    private func commit<Result>(
        _ durability: Database.Durability, _ body: (Database, inout StoreCounts) throws -> Result
    ) throws(StoreError) -> Result {
        try attempt { connection in
            var next = counters
            let result = try connection.commit(durability) { db in
                let result = try body(db, &next)
                next.noteEmpty()
                try next.durable.save(over: counters.durable, in: db)
                return result
            }
            counters = next
            if durability == .durable { durableCommits += 1 }
            return result
        }
    }

    /// Tries a second time on a new connection if the first one broke. Tries a third time on a repaired database if
    /// damage was found twice that a check of the whole database did not find.
    func attempt<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        var tries = 1
        while true {
            do {
                let result = try body(soundConnection())
                damageSeen = 0
                return result
            } catch {
                guard mayTryAgain(after: error), tries < (damageSeen > 0 ? 3 : 2) else {
                    throw StoreError(database: error)
                }
                tries += 1
            }
        }
    }

    /// The connection to the database, as long as it is usable.
    var openConnection: Connection? {
        switch access {
        case .sound(let connection): connection
        case .broken: nil
        }
    }

    /// Closes the connection if it cannot be trusted after an error; returns whether another attempt makes sense.
    private func mayTryAgain(after error: any Error) -> Bool {
        guard let error = error as? DatabaseError else {
            // Opening again throws this; a body throws this code for no other reason.
            let isDamaged = (error as? StoreError)?.code == .damaged
            if isDamaged { damageSeen += 1 }
            return isDamaged
        }
        if error.canBeReadAgain {
            logger.warning("store cannot be read, trying again", metadata: ["error": "\(StoreError(database: error))"])
            return true
        }
        guard error.breaksConnection else { return false }
        logger.error("store connection is broken, opening again", metadata: ["error": "\(StoreError(database: error))"])
        if StoreError(database: error).code == .damaged { damageSeen += 1 }
        if case .sound(let connection) = access { abandon(connection, because: StoreError(database: error)) }
        return true
    }

    private func soundConnection() throws(StoreError) -> Connection {
        switch access {
        case .sound(let connection): return connection
        case .broken: return try openAgain()
        }
    }

    private func abandon(_ connection: Connection, because error: StoreError) {
        access = .broken(error)
        try? connection.close()  // it is broken; all that matters is that it releases its file
    }

    /// Opens the database again as after a crash, and removes records that were never acknowledged: a commit whose
    /// fsync failed may still be in the log, and its caller will try again.
    private func openAgain() throws(StoreError) -> Connection {
        // The caller gets a read error at once and tries again; only a start waits.
        var environment = environment
        environment.pauses = []
        let opener = StoreOpener(files: files, logger: logger, environment: environment, seal: seal)
        ledger.countAtClose = nil
        let acknowledged = counters.last
        let opened = try opener.open(
            ledger: ledger, acknowledged: max(acknowledged, floor), isDamaged: damageSeen > 1, now: .now())
        do {
            try opened.connection.commit(.durable) { db in
                _ = try RecordTable(db).remove(after: acknowledged, through: .max)
                try RecordTable(db).continueSequence(after: acknowledged)
            }
            try opened.connection.checkpoint()
            counters = try opened.connection.run { try StoreCounts($0, count: nil, seal) }
            try opened.connection.setLimits(pages: quotaInPages, logPages: logInPages)
        } catch {
            abandon(opened.connection, because: StoreError(database: error))
            throw StoreError(database: error)
        }
        counters.last = max(counters.last, acknowledged)
        floor = opened.floor
        notice = opened.notice ?? notice
        isChecked = opened.isChecked
        openings += 1
        ledger = opened.ledger
        access = .sound(opened.connection)
        try? limitQuarantine()  // the next pruning removes the rest
        return opened.connection
    }

    /// Ensures that the next numbers are above all that were ever assigned and below the ledger's ceiling.
    func extendLedger(by count: Int) throws(StoreError) {
        let needed = max(counters.last, floor) + Int64(count)
        guard needed + StoreLedger.step <= SequenceBounds.highest else {
            throw StoreError(.full, "the numbers of records are used up: expected at most \(SequenceBounds.highest)")
        }
        if needed > ledger.ceiling {
            var next = ledger
            next.ceiling = StoreLedger.ceiling(above: needed)
            try next.write(to: files.ledger)
            ledger = next
        }
        if count > 0 { counters.last = max(counters.last, floor) }
    }

    /// Sets the limits of the store.
    func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) throws(StoreError) {
        self.retention = retention
        self.sinks = sinks
        adjustReserve()
        try attempt { try $0.setLimits(pages: quotaInPages, logPages: logInPages) }
        try limitQuarantine()
    }

    /// Applies the quota to damaged databases that were set aside: they count towards it, and are removed before any
    /// record.
    func limitQuarantine() throws(StoreError) {
        guard retention.maxBytes > 0 else { return }
        for name in try files.limitQuarantine(to: max(0, retention.maxBytes - reservedBytes - files.bytes)) {
            logger.notice("oldest damaged store is removed for the quota", metadata: ["file": "\(name)"])
        }
    }

    /// Opens a broken database once more, with the retries of a start, as long as the last acknowledged number is
    /// known. A commit that has thrown may be in the log nevertheless, and the next process would consider it
    /// accepted.
    private func removeUnacknowledged() {
        guard case .broken = access else { return }
        var patience = OpenRetry(environment: environment, logger: logger)
        do throws(StoreError) {
            _ = try patience.read(retrying: [.inputOutput, .full]) { () throws(StoreError) in try openAgain() }
        } catch {
            logger.error(SQLiteFixStore.mayHoldUnacknowledged, metadata: ["error": "\(error)"])
        }
    }

    /// Closes the store properly: the log is emptied, and the ledger is marked as closed.
    func close() {
        removeUnacknowledged()
        if counters.durable.sourcesThrough < counters.last {
            // This only spares the next start from reading the newest records.
            try? write(.relaxed) { db, counters in try counters.saveSources(in: db) }
        }
        guard case .sound(let connection) = access else { return }
        let isRemoved = isRemoved()
        do {
            try connection.checkpoint()
            try connection.close()
            // A ledger next to a missing or different database would be wrong.
            if isRemoved { return }
            try StoreLedger(ceiling: max(counters.last, floor), countAtClose: counters.count).write(to: files.ledger)
            adjustReserve()  // if it was used: others may fill the disk before the next start
        } catch {
            // No record is lost: the next start finds no mark of an orderly end and checks the database.
            logger.warning("store could not be closed in order", metadata: ["error": "\(StoreError(database: error))"])
        }
    }
}
