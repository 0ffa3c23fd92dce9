import GRDB
package import TrackEngine

extension StoreError {
    /// The store's error for an error of SQLite.
    package init(database error: any Error) {
        guard let error = error as? DatabaseError else {
            self = error as? StoreError ?? StoreError(.inputOutput, String(describing: error))
            return
        }
        let message = "SQLite: \(error.message ?? "no message") (\(error.extendedResultCode.rawValue))"
        switch error.resultCode {
        case .SQLITE_FULL: self.init(.full, message)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self.init(.damaged, message)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self.init(.locked, message)
        default: self.init(.inputOutput, message)
        }
    }
}
