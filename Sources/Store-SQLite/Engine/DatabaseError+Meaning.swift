import GRDB

extension DatabaseError {
    /// Whether reading failed, which says nothing about what was to be read. A file that is too short is no read error.
    var isReadFailure: Bool {
        resultCode == .SQLITE_IOERR && extendedResultCode != .SQLITE_IOERR_SHORT_READ
    }

    /// Whether a read failed that can be tried again on the same connection: nothing was changed, a transaction was
    /// rolled back.
    var canBeReadAgain: Bool { extendedResultCode == .SQLITE_IOERR_READ }

    /// Whether nothing that the connection says can be trusted any more.
    ///
    /// After a failed write or fsync the kernel may have thrown the data away and still report success the next time;
    /// damage shows itself in the middle of work as `SQLITE_CORRUPT`.
    var breaksConnection: Bool {
        switch resultCode {
        case .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB: !canBeReadAgain
        default: false
        }
    }

    /// Whether an existing file that gives this error while it is opened is damaged, rather than out of reach.
    ///
    /// A damaged header or table of contents shows itself in many ways: a file that claims to be read-only, a missing
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
