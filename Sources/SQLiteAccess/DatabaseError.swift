import CSQLite

/// An error that SQLite has reported.
package struct DatabaseError: Error, Sendable, Hashable {
    /// A result code (SQLite, "Result and Error Codes").
    package struct Code: Sendable, Hashable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let error = Code(rawValue: SQLITE_ERROR)
        package static let busy = Code(rawValue: SQLITE_BUSY)
        package static let locked = Code(rawValue: SQLITE_LOCKED)
        package static let readOnly = Code(rawValue: SQLITE_READONLY)
        package static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        package static let inputOutput = Code(rawValue: SQLITE_IOERR)
        package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        package static let full = Code(rawValue: SQLITE_FULL)
        package static let schemaChanged = Code(rawValue: SQLITE_SCHEMA)
        package static let tooBig = Code(rawValue: SQLITE_TOOBIG)
        package static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        package static let mismatch = Code(rawValue: SQLITE_MISMATCH)
        package static let misuse = Code(rawValue: SQLITE_MISUSE)
        package static let format = Code(rawValue: SQLITE_FORMAT)
        package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// `SQLITE_IOERR_READ`
        package static let failedRead = Code(rawValue: SQLITE_IOERR | 1 << 8)
        /// `SQLITE_IOERR_SHORT_READ`
        package static let shortRead = Code(rawValue: SQLITE_IOERR | 2 << 8)
    }

    /// The code with its details, such as ``Code/failedRead``.
    package let extendedCode: Code
    package let message: String

    /// The code without details, such as ``Code/inputOutput``.
    package var code: Code { Code(rawValue: extendedCode.rawValue & 0xff) }

    /// An error with SQLite's own message, unless another is given.
    package init(_ code: Code, _ message: String? = nil) {
        extendedCode = code
        self.message = message ?? String(cString: sqlite3_errstr(code.rawValue))
    }

    /// The error of the call that has just failed on a connection.
    init(lastOf connection: OpaquePointer) {
        self.init(
            Code(rawValue: sqlite3_extended_errcode(connection)), String(cString: sqlite3_errmsg(connection)))
    }

    /// The error of a call after the connection was closed.
    static let closed = DatabaseError(.misuse, "the database is closed")
}
