import SQLiteAccess
import TrackEngine

/// Opens a history's database, whether it is plain, encrypted, or in transition, and encrypts it when there is a key.
///
/// Its state follows from the database's header and from the existence of the key file. A key that does not open that
/// file is refused before anything is written.
struct HistoryOpener {
    let files: HistoryFiles
    /// The key that seals the history's own key; `nil` for a plain history.
    let key: StoreKey?
    let environment: HistoryEnvironment
    /// Collects what cannot be read.
    var health = HistoryHealth()

    /// An opened database.
    struct OpenDatabase {
        let connection: HistoryConnection
        let seal: HistoryCipher?
        /// A notice for the operator about this opening.
        var notice: String?
    }

    func open() throws(StoreError) -> OpenDatabase {
        let opened = try openUnmarked()
        // A history works on a full disk, too; the next opening sets the mark.
        if opened.seal != nil { try? mark.set() }
        return opened
    }

    /// The mark that the history was encrypted, so that a plain one in its place is refused.
    private var mark: EncryptionMark { EncryptionMark(of: files.database) }

    private func openUnmarked() throws(StoreError) -> OpenDatabase {
        let found = try HistoryKeyFile.read(files.key)
        let seal = try existingSeal(found)
        try completeRewrite()
        try restoreEmptied(seal)
        try files.prepareDatabase()
        guard let seal else { return try openPlain() }
        guard let key, let found else { return try openSealed(seal) }
        let isDamaged = try found.isDamaged(for: key)
        var opened = try openSealed(seal)
        // Only after the history has opened with the key.
        if isDamaged || found.count > 1 { try HistoryKeyFile(seal.key, under: key).write(to: files.key) }
        if isDamaged { opened.notice = "the file with the history's own key was damaged, and is written anew" }
        return opened
    }

    /// Ends encryption: rewrites an encrypted history in plain, after its companion files.
    ///
    /// - Parameter companions: paths of those files. A plain one next to an encrypted history is readable, too.
    func decrypt(companions: [String]) throws(StoreError) {
        guard let seal = try existingSeal(try HistoryKeyFile.read(files.key)) else {
            try completeRewrite()
            try mark.remove()
            return try DatabaseFile.remove(files.key)
        }
        try completeRewrite()
        try mark.remove()
        for path in companions { try EncryptedHistoryFile(path, seal).decrypt() }
        try files.prepareDatabase()
        let opened = try openSealed(seal)
        try rewrite(opened, seal: nil)
        try DatabaseFile.remove(files.key)
        try environment.didTake(.removedKey)
    }

    private func completeRewrite() throws(StoreError) {
        guard files.replacement != nil else { return try files.removeRewrite() }
        try files.finishRewrite(environment)
    }

    // MARK: - State on the disk

    /// Whether a history needs a key, determined without opening its database.
    ///
    /// The key file is written before an encrypted database has its header, and while a plain database has one.
    static func isEncrypted(_ files: HistoryFiles, _ found: HistoryKeyFile?) -> Bool {
        let header = DatabaseHeader(path: files.current)
        let version = header?.version ?? 0
        if HistorySchema.sealedVersions.contains(version) { return true }
        // A version that is neither is damaged, or newer; a plain history has no number of a key.
        let hasKey = !HistorySchema.versions.contains(version) && header?.applicationID != 0
        return found != nil && (version == 0 || hasKey)
    }

    /// The seal of an existing history; `nil` for a plain one and for a new one.
    private func existingSeal(_ found: HistoryKeyFile?) throws(StoreError) -> HistoryCipher? {
        guard Self.isEncrypted(files, found) else { return nil }
        guard let key else { throw HistoryKeyGuard.missing }
        guard let found else { throw HistoryKeyGuard.noFile(files.key) }
        guard let own = try found.key(openedBy: key) else {
            throw try found.isDamaged(for: key) ? HistoryKeyGuard.damaged(files.key) : HistoryKeyGuard.wrong
        }
        let seal = try HistoryCipher(own)
        if let header = DatabaseHeader(path: files.current), header.version != 0 {
            // The numbers of two keys differ by a single bit once in a hundred million times: it is damaged.
            let isNear = (header.applicationID ^ seal.keyName).nonzeroBitCount <= 1
            guard isNear else { throw HistoryKeyGuard.foreignFile(files.key) }
        }
        return seal
    }

    private func openSealed(_ seal: HistoryCipher) throws(StoreError) -> OpenDatabase {
        let connection = try connect(seal)
        return try closing(connection) {
            var isRepaired = false
            switch try HistorySchema.form(connection) {
            case .sealed:
                try HistorySchema.upgradeSealed(connection)
                isRepaired = try HistorySchema.repairKeyName(connection, seal)
            case .empty: try begin(connection, seal)
            case .plain: throw StoreError(.damaged, "\(files.database): expected an encrypted history")
            }
            let notice = "the number of its key in the history's header was damaged, and is written anew"
            return OpenDatabase(connection: connection, seal: seal, notice: isRepaired ? notice : nil)
        }
    }

    /// Prepares an encrypted database before it has any point, so that the file alone identifies its key.
    private func begin(_ connection: HistoryConnection, _ seal: HistoryCipher) throws {
        try connection.commit { try HistorySchema.prepareSealed($0, seal) }
        try connection.checkpoint()
    }

    private func openPlain() throws(StoreError) -> OpenDatabase {
        let connection = try connect(nil)
        let form = try closing(connection) { try HistorySchema.form(connection) }
        guard let key else {
            try closing(connection) {
                guard form != .sealed else { throw HistoryKeyGuard.missing }
                try HistorySchema.prepare(connection)
                try DatabaseFile.remove(files.key)  // left by an interrupted encryption
            }
            return OpenDatabase(connection: connection, seal: nil)
        }
        let seal = try closing(connection) {
            guard form != .sealed else { throw HistoryKeyGuard.noFile(files.key) }
            if form == .plain {
                guard !mark.isSet else { throw mark.refusal }
                try HistorySchema.prepare(connection)
                try connection.checkpoint()
            }
            return try makeSeal(key)
        }
        if form == .empty {
            return try closing(connection) {
                try begin(connection, seal)
                return OpenDatabase(connection: connection, seal: seal)
            }
        }
        try rewrite(OpenDatabase(connection: connection, seal: nil), seal: seal)
        return try openSealed(seal)
    }

    /// Gives the history its own key.
    private func makeSeal(_ key: StoreKey) throws(StoreError) -> HistoryCipher {
        let seal = try HistoryCipher(StoreKey.random().bytes)
        try HistoryKeyFile(seal.key, under: key).write(to: files.key)
        try environment.didTake(.wroteKey)
        return seal
    }

    /// Rewrites the history and closes the connection to the old database.
    private func rewrite(_ opened: OpenDatabase, seal: HistoryCipher?) throws(StoreError) {
        let rewrite = HistoryRewrite(files: files, old: opened.seal, new: seal, environment: environment)
        do throws(StoreError) {
            try files.removeDamaged()  // it would stay in its old form
            try rewrite.run(from: opened.connection)
        } catch {
            try? opened.connection.close()  // the original error is thrown
            throw error
        }
        do { try opened.connection.close() } catch { throw StoreError(database: error) }
        try files.finishRewrite(environment)
    }

    // MARK: - Connections

    /// Opens the database; a damaged one is written anew before, and kept, as is a damaged log: SQLite drops all of it
    /// after the damage.
    private func connect(_ seal: HistoryCipher?) throws(StoreError) -> HistoryConnection {
        let log = try WriteAheadLog(path: files.log)
        let isLogDamaged = log?.isDamaged == true
        if isLogDamaged {
            try files.keepLog(environment)
            health.noteDamage(ofTable: HistoryHealth.log)
        }
        let connection = try connectSound(seal, log)
        if isLogDamaged { try? connection.checkpoint() }  // otherwise the same commits are found again after a kill
        return connection
    }

    private func connectSound(_ seal: HistoryCipher?, _ log: WriteAheadLog?) throws(StoreError) -> HistoryConnection {
        func connection() throws(StoreError) -> HistoryConnection {
            do { return try HistoryConnection(path: files.database) } catch { throw StoreError(database: error) }
        }
        // Before the connection: see ``HistoryEngine/salvage(_:)``.
        let damaged = try DatabasePages(database: ReadOnlyFile(files.database), log: log).damagedRoots()
        do throws(StoreError) {
            let connection = try connection()
            try closing(connection) { try noteDamage(ofTrees: damaged, connection, isSealed: seal != nil) }
            return connection
        } catch {
            guard error.code == .damaged else { throw error }
            try salvage(seal, error.message)
            return try connection()
        }
    }

    /// Notes the tables to which damaged trees belong, and those of names that do not agree with their indexes; the
    /// cache is made anew.
    private func noteDamage(
        ofTrees roots: Set<UInt32>, _ connection: HistoryConnection, isSealed: Bool
    ) throws {
        let tables = try connection.run { db in
            try roots.compactMap { root in
                try String.fetchOne(
                    db, sql: "SELECT tbl_name FROM sqlite_schema WHERE rootpage = ?", arguments: [Int64(root)])
            } + NamedTable.Kind.allCases.filter { try !isSound($0, db, isSealed: isSealed) }.map(\.rawValue)
        }
        for table in Set(tables) {
            if MapCache.tables.contains(table) {
                try MapCache.makeAnew(connection)
            } else {
                health.noteDamage(ofTree: table)
            }
        }
    }

    /// Whether a small table and its indexes agree: an addition would take a name that its index does not have for a
    /// new one. In an encrypted history each device with points has a name: a removal removes both.
    private func isSound(_ kind: NamedTable.Kind, _ db: Database, isSealed: Bool) throws -> Bool {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name = ?"
        guard try Int.fetchOne(db, sql: sql, arguments: [kind.rawValue]) == 1 else { return true }  // of a new history
        do {
            let isWhole = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(kind.rawValue))") == ["ok"]
            guard isWhole, isSealed, kind == .device else { return isWhole }
        } catch {
            guard error.isDamage else { throw error }
            return false
        }
        do { return try Bool.fetchOne(db, sql: Self.haveNames) ?? true } catch {
            guard error.isDamage else { throw error }
            return true  // a damaged page of points is noticed when it is read
        }
    }

    private static let haveNames = """
        WITH RECURSIVE number(id) AS (
            SELECT min(device) FROM point
            UNION ALL SELECT (SELECT min(device) FROM point WHERE device > id) FROM number WHERE id IS NOT NULL)
        SELECT NOT EXISTS (SELECT 1 FROM number WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM device))
        """

    /// Writes a history anew that cannot be opened.
    private func salvage(_ seal: HistoryCipher?, _ damage: String) throws(StoreError) {
        guard seal != nil || !mark.isSet else { throw HistoryKeyGuard.noFile(files.key) }
        guard files.hasRoomForDamaged else { throw files.tooManyDamaged }
        let size = DatabaseFile.size(of: files.database) + DatabaseFile.size(of: files.log)
        guard environment.roomForSalvage(files.directory) > size else {
            throw StoreError(
                .damaged,
                "\(files.database) is damaged (\(damage)); to write it anew takes \(size >> 20) MiB, which the disk has not: make room, and start again"
            )
        }
        do throws(StoreError) {
            try HistorySalvage(files: files, seal: seal, environment: environment, health: health)
                .run(demandingRows: true)
        } catch {
            guard error.code == .damaged else { throw error }
            throw StoreError(
                .damaged,
                "\(files.database) is damaged (\(damage)), and \(error.message); restore it from a backup, or move it away to begin a new history"
            )
        }
        try files.finishRewrite(environment)
        health.noteDamage(ofTable: "sqlite_schema")
    }

    /// Refuses an empty database where there was a history before, or restores it from its log, which SQLite would
    /// remove.
    private func restoreEmptied(_ seal: HistoryCipher?) throws(StoreError) {
        guard FileStatus.at(files.database)?.size == 0 else { return }
        if DatabaseFile.size(of: files.log) > 0 { return try salvage(seal, "it is empty") }
        guard let trace = (files.damagedCopies + [files.reserve]).first(where: { DatabaseFile.size(of: $0) > 0 }) else {
            return
        }
        throw StoreError(
            .damaged,
            "\(files.database) is empty, but \(trace) shows that there was a history; restore it from a backup, or remove the empty file to begin a new history"
        )
    }

    /// Closes a connection when the work with it fails.
    private func closing<Result>(_ connection: HistoryConnection, _ body: () throws -> Result) throws(StoreError)
        -> Result
    {
        do { return try body() } catch {
            try? connection.close()  // the original error is thrown
            throw StoreError(database: error)
        }
    }
}
