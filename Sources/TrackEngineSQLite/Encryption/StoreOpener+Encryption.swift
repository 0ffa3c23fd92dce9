import Logging
import SQLiteAccess
import TrackEngine

/// Changes of a store's key.
extension StoreOpener {
    /// Continues an interrupted change of key, before any other check of the files.
    func completeRewrite() throws(StoreError) {
        guard files.hasCompletedRewrite else {
            try KeyGuard.refuse(path: files.current, log: files.currentLog, seal)
            return try files.removeRewrite()
        }
        try KeyGuard.refuse(path: files.completedRewrite, seal)
        logger.notice("an interrupted change of the store's key is completed")
        try files.finishRewrite(didTake: environment.didTake)
    }

    /// Encrypts an open, unencrypted store; it needs the key from now on.
    ///
    /// A store with a key is never used unencrypted: if there is no room for the second database, it does not open.
    func encrypt(_ opened: OpenDatabase, _ seal: RowCipher) throws(StoreError) -> OpenDatabase {
        logger.notice("the store is being encrypted", metadata: ["records": "\(opened.counters.count)"])
        let aside = files.quarantined.count
        do {
            let rewrite = Rewrite(files: files, environment: environment, old: nil, new: seal)
            defer { try? opened.connection.close() }  // its file is overwritten, or opened again later
            _ = try rewrite.run(from: opened.connection, counters: opened.counters)
        } catch { throw StoreError(database: error) }
        try files.finishRewrite(didTake: environment.didTake)
        if aside > 0 {
            logger.warning(
                "damaged databases that were set aside in plain are removed", metadata: ["count": "\(aside)"])
        }
        do {
            let attempt = Attempt(
                ledger: StoreLedger(ceiling: opened.ledger.ceiling, countAtClose: nil), acknowledged: opened.floor,
                log: nil)
            var encrypted = try openAsIs(attempt)
            encrypted.notice = opened.notice
            return encrypted
        } catch { throw StoreError(database: error) }
    }
}

extension StoreEngine {
    /// Rewrites the store under another key and closes it.
    func rewrite(under key: StoreKey?) throws(StoreError) {
        let next = try key.map { key throws(StoreError) in try RowCipher(key) }
        if key == nil { try EncryptionMark(of: files.database).remove() }
        let rewrite = Rewrite(files: files, environment: environment, old: seal, new: next)
        let damaged: Int
        do throws(StoreError) {
            try refuseIfRemoved()
            damaged = try attempt { try rewrite.run(from: $0, counters: counters) }
        } catch {
            close()
            throw error
        }
        close()
        if damaged > 0 { try StoreLedger(ceiling: ledger.ceiling, countAtClose: nil).write(to: files.ledger) }
        try files.finishRewrite(didTake: environment.didTake)
    }
}
