package import TrackEngine

extension StoreError {
    /// The store's error for an error of SQLite.
    package init(database error: any Error) {
        guard let error = error as? DatabaseError else {
            self = error as? StoreError ?? StoreError(.inputOutput, String(describing: error))
            return
        }
        let message = "SQLite: \(error.message) (\(error.extendedCode.rawValue))"
        switch error.code {
        case .full: self.init(.full, message)
        case .corrupt, .notADatabase: self.init(.damaged, message)
        case .busy, .locked: self.init(.locked, message)
        default: self.init(.inputOutput, message)
        }
    }
}
