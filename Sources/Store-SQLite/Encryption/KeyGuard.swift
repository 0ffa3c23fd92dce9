import Sealing
import TrackEngine

/// Refuses a key that a store was not encrypted under, before anything is written.
enum KeyGuard {
    /// Looks into a database's file without opening it as a database. What cannot be read is left to the opening that follows.
    ///
    /// The version in its header says that it is encrypted from the moment on when there are tables in it.
    static func refuse(path: String, _ seal: RowSeal?) throws(StoreError) {
        guard Schema.version(path: path) == Schema.sealedVersion else { return }
        try ForeignTables.refuse(path: path, log: nil)
        guard let seal else { throw missing }
        guard let check = UnopenedDatabase.firstColumn(of: SealedTable.checkQuery, in: path)?.first else { return }
        try refuse(check: check, seal)
    }

    /// Looks at what an encrypted database says about its key.
    static func refuse(check: [UInt8]?, _ seal: RowSeal?) throws(StoreError) {
        guard let seal else { throw missing }
        guard let check else { throw StoreError(.damaged, "the check of the store's key is missing") }
        guard DerivedKey.isEqual(check, seal.check) else { throw wrong }
    }

    static var missing: StoreError {
        StoreError(
            .wrongKey,
            "the store is encrypted: expected its key (store.encryption.key), found none; nothing was changed")
    }

    static var wrong: StoreError {
        StoreError(
            .wrongKey,
            "expected the key that the store is encrypted under (store.encryption.key), found another one; "
                + "nothing was changed")
    }
}
