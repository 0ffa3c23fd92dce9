import GRDB

extension DatabaseError {
    /// Whether reading failed, which is no evidence of damage. A file that is too short is not a read error.
    var isReadFailure: Bool {
        resultCode == .SQLITE_IOERR && extendedResultCode != .SQLITE_IOERR_SHORT_READ
    }

    /// Whether a failed read can be repeated on the same connection: no data was changed, and a transaction was rolled
    /// back.
    var canBeReadAgain: Bool { extendedResultCode == .SQLITE_IOERR_READ }

    /// Whether results of the connection cannot be trusted any more.
    ///
    /// After a failed write or fsync the kernel may have discarded the data and still report success the next time.
    /// Damage is found in the middle of work as `SQLITE_CORRUPT`.
    var breaksConnection: Bool {
        switch resultCode {
        case .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB: !canBeReadAgain
        default: false
        }
    }

    /// Whether this error, when an existing file is opened, means that the file is damaged rather than inaccessible.
    ///
    /// A damaged header or table of contents causes various errors: a file that claims to be read-only, a missing
    /// table, a format of the future.
    var meansDamageAtOpening: Bool {
        switch resultCode {
        case .SQLITE_IOERR: !isReadFailure
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_READONLY, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT,
            .SQLITE_FORMAT, .SQLITE_SCHEMA, .SQLITE_TOOBIG:
            true
        default: false
        }
    }
}
