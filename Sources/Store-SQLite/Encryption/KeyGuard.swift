import GRDB
import SQLiteAccess
import Sealing
import TrackEngine

/// Refuses a key that a store was not encrypted under, before anything is written.
enum KeyGuard {
    /// Why a key does not open a store.
    enum Fault: Sendable, Hashable {
        /// There is none, and the store is encrypted.
        case missing
        /// It is that of another store.
        case wrong
        /// What knows the key again is damaged, and nothing in the store opens with this one.
        case unproven

        /// What was expected, in words that complete "expected …".
        var expectation: String {
            switch self {
            case .missing: "the store's key, because the store is encrypted"
            case .wrong: "the key that the store is encrypted under, not another one"
            case .unproven:
                "a key that opens something in the store: what knows its key again is damaged, and nothing opens with this one"
            }
        }

        var error: StoreError {
            let text =
                switch self {
                case .missing: "the store is encrypted: expected its key (store.encryption.key), found none"
                case .wrong:
                    "expected the key that the store is encrypted under (store.encryption.key), found another one"
                case .unproven:
                    "what knows the store's key again is damaged: expected a key (store.encryption.key) that opens something in the store, with this one nothing opens"
                }
            return StoreError(.wrongKey, text + "; nothing was changed")
        }
    }

    static var missing: StoreError { Fault.missing.error }
    static var wrong: StoreError { Fault.wrong.error }

    // MARK: - A database that is not open

    /// Looks into a database's file without opening it as a database. What cannot be read is left to the opening that follows.
    ///
    /// - Parameter log: the path of its log, which may hold the only rows.
    static func refuse(path: String, log: String? = nil, _ seal: RowSeal?) throws(StoreError) {
        if let fault = try fault(path: path, log: log, seal) { throw fault.error }
    }

    /// What is wrong with a key for a database's file, which is looked at without changing anything, also while another process
    /// has it open; `nil` for nothing.
    ///
    /// The version in its header says that it is encrypted from the moment on when there are tables in it.
    static func fault(path: String, log: String?, _ seal: RowSeal?) throws(StoreError) -> Fault? {
        guard Schema.isSealed(path: path) else { return nil }
        try ForeignTables.refuse(path: path, log: nil)
        guard let seal else { return .missing }
        guard let check = SealedTable.KeyCheck(inFile: path), !check.fits(seal) else { return nil }
        guard try !KeyTrial.opensSomething(in: path, log: log, seal) else { return nil }
        return check.isSound ? .wrong : .unproven
    }

    // MARK: - A database that is open

    /// Looks at what an encrypted database says about its key.
    static func refuse(_ db: Database, _ seal: RowSeal?) throws {
        guard let seal else { throw missing }
        guard let check = try SealedTable(db).keyCheck() else {
            throw StoreError(.damaged, "the check of the store's key is missing")
        }
        guard !check.fits(seal) else { return }
        throw (check.isSound ? Fault.wrong : .unproven).error
    }

    /// Writes the check of the key anew where it is damaged and the database's rows prove the key; returns whether it did.
    static func repairCheck(_ connection: Connection, _ seal: RowSeal?) throws -> Bool {
        guard let seal else { return false }
        let isDamaged = try connection.run { db in
            guard try Schema.isSealed(Int.fetchOne(db, sql: "PRAGMA user_version")),
                let check = try SealedTable(db).keyCheck(), !check.fits(seal)
            else { return false }
            return try KeyTrial.opensSomething(in: db, seal)
        }
        guard isDamaged else { return false }
        try connection.commit(.durable) { try SealedTable($0).put(check: seal.check) }
        try connection.checkpoint()  // from the file alone it can be seen again whose key it takes
        return true
    }
}
