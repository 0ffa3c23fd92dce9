import Encryption
import SQLiteAccess
import TrackEngine

/// Rejects a wrong key for an encrypted store, before any data is written.
enum KeyGuard {
    /// The reason why a key does not open a store.
    enum Problem: Sendable, Hashable {
        /// There is no key, and the store is encrypted.
        case missing
        /// The key belongs to another store.
        case wrong
        /// The check of the key is damaged, and the key decrypts no value of the store.
        case unproven

        /// The expectation, in words that complete "expected …".
        var expectation: String {
            switch self {
            case .missing: "the store's key, because the store is encrypted"
            case .wrong: "the key that the store is encrypted under, not another one"
            case .unproven:
                "a key that opens rows of the store: the check of its key is damaged, and no row opens with this one"
            }
        }

        var error: StoreError {
            let text =
                switch self {
                case .missing: "the store is encrypted: expected its key (store.encryption.key), found none"
                case .wrong:
                    "expected the key that the store is encrypted under (store.encryption.key), found another one"
                case .unproven:
                    "the check of the store's key is damaged: expected a key (store.encryption.key) that opens rows of the store, with this one no row opens"
                }
            return StoreError(.wrongKey, text + "; the store is unchanged")
        }
    }

    static var missing: StoreError { Problem.missing.error }
    static var wrong: StoreError { Problem.wrong.error }

    // MARK: - A database that is not open

    /// Checks the key of a database file without opening it as a database. Unreadable parts are left to the opening
    /// that follows.
    ///
    /// - Parameter log: the path of its log, which may hold the only rows.
    static func refuse(path: String, log: String? = nil, _ seal: RowCipher?) throws(StoreError) {
        if let fault = try fault(path: path, log: log, seal) { throw fault.error }
    }

    /// The fault of a key for a database file; `nil` if the key is right. The files are not changed, and another
    /// process may have them open.
    ///
    /// The version in the file's header marks it as encrypted as soon as it has tables.
    static func fault(path: String, log: String?, _ seal: RowCipher?) throws(StoreError) -> Problem? {
        guard Schema.isSealed(path: path) else { return nil }
        try ForeignTableCheck.refuse(path: path, log: nil)
        guard let seal else { return .missing }
        guard let check = EncryptedTable.KeyCheck(inFile: path), !check.fits(seal) else { return nil }
        guard try !KeyTrial.opensSomething(in: path, log: log, seal) else { return nil }
        return check.isSound ? .wrong : .unproven
    }

    // MARK: - A database that is open

    /// Compares the key with the check in an encrypted database.
    static func refuse(_ db: Database, _ seal: RowCipher?) throws {
        guard let seal else { throw missing }
        guard let check = try EncryptedTable(db).keyCheck() else {
            throw StoreError(.damaged, "the check of the store's key is missing")
        }
        guard !check.fits(seal) else { return }
        throw (check.isSound ? Problem.wrong : .unproven).error
    }

    /// Rewrites the check of the key if it is damaged and the database's rows prove the key; returns whether it did.
    static func repairCheck(_ connection: Connection, _ seal: RowCipher?) throws -> Bool {
        guard let seal else { return false }
        let isDamaged = try connection.run { db in
            guard try Schema.isSealed(Int.fetchOne(db, sql: "PRAGMA user_version")),
                let check = try EncryptedTable(db).keyCheck(), !check.fits(seal)
            else { return false }
            return try KeyTrial.opensSomething(in: db, seal)
        }
        guard isDamaged else { return false }
        try connection.commit(.durable) { try EncryptedTable($0).put(check: seal.check) }
        try connection.checkpoint()  // the file alone then shows again which key it needs
        return true
    }
}
