import SQLiteAccess

extension DatabaseError {
    /// Whether reading failed, which is no evidence of damage. A file that is too short is not a read error.
    var isReadFailure: Bool {
        code == .inputOutput && extendedCode != .shortRead
    }

    /// Whether a failed read can be repeated on the same connection: no data was changed, and a transaction was rolled
    /// back.
    var canBeReadAgain: Bool { extendedCode == .failedRead }

    /// Whether results of the connection cannot be trusted any more.
    ///
    /// After a failed write or fsync the kernel may have discarded the data and still report success the next time.
    /// Damage is found in the middle of work as `SQLITE_CORRUPT`.
    var breaksConnection: Bool {
        switch code {
        case .inputOutput, .corrupt, .notADatabase: !canBeReadAgain
        default: false
        }
    }

    /// Whether this error, when an existing file is opened, means that the file is damaged rather than inaccessible.
    ///
    /// A damaged header or table of contents causes various errors: a file that claims to be read-only, a missing
    /// table, a format of the future.
    var meansDamageAtOpening: Bool {
        switch code {
        case .inputOutput: !isReadFailure
        case .corrupt, .notADatabase, .error, .readOnly, .mismatch, .constraint,
            .format, .schemaChanged, .tooBig:
            true
        default: false
        }
    }
}
