import CSQLite

/// A compiled statement of SQL and its position in the result.
///
/// Released, it is reset and goes back to the database for the next use. A query that is in use is not given out again.
package final class DatabaseQuery {
    private let db: Database
    private let sql: String
    private let statement: OpaquePointer
    private var isAtEnd = true
    /// The first failure to bind a value since the last run.
    private var bindingCode = SQLITE_OK

    init(_ db: Database, _ sql: String, _ statement: OpaquePointer) {
        self.db = db
        self.sql = sql
        self.statement = statement
    }

    deinit { db.takeBack(statement, of: sql) }

    // MARK: - Running

    /// Begins anew with other arguments, before the first row.
    func begin(_ arguments: [any DatabaseField]) throws(DatabaseError) {
        guard db.isOpen else { throw .closed }
        sqlite3_reset(statement)  // its result is that of an earlier step
        guard sqlite3_bind_parameter_count(statement) == Int32(arguments.count) else {
            throw DatabaseError(.misuse, "expected \(sqlite3_bind_parameter_count(statement)) arguments: \(sql)")
        }
        for (index, argument) in zip(Int32(1)..., arguments) { bind(argument.databaseValue, at: index) }
        try requireBindings()
        isAtEnd = false
    }

    /// The next row; `nil` at the end, and after an error. A row is valid until the next call.
    package func next() throws(DatabaseError) -> Row? {
        guard !isAtEnd else { return nil }
        return try step() ? Row(self) : nil
    }

    /// The values that a function makes of the rest of the rows, without `nil`.
    package func compactMap<Value>(_ body: (Row) throws -> Value?) throws -> [Value] {
        var values: [Value] = []
        while let row = try next() { if let value = try body(row) { values.append(value) } }
        return values
    }

    /// Runs with the values that have been bound, to the end, and releases them.
    package func run() throws(DatabaseError) {
        guard db.isOpen else { throw .closed }
        defer { sqlite3_clear_bindings(statement) }  // no binding may outlive its bytes
        try requireBindings()
        while try step() {}
    }

    private func requireBindings() throws(DatabaseError) {
        defer { bindingCode = SQLITE_OK }
        guard bindingCode == SQLITE_OK else { throw DatabaseError(DatabaseError.Code(rawValue: bindingCode)) }
    }

    /// Returns whether there is a row. At the end and after an error the statement is reset.
    private func step() throws(DatabaseError) -> Bool {
        guard let connection = db.connection else { throw .closed }
        let result = sqlite3_step(statement)
        if result == SQLITE_ROW { return true }
        isAtEnd = true
        defer { sqlite3_reset(statement) }
        guard result == SQLITE_DONE else { throw DatabaseError(lastOf: connection) }
        return false
    }
}

// MARK: - Values bound by hand

/// Bindings without a copy: the bytes must be valid until ``run()`` returns.
extension DatabaseQuery {
    /// Binds a number; `NULL` for `nil`.
    package func bind(_ number: Int64?, at index: Int32) {
        note(
            number.map { sqlite3_bind_int64(usable, index, $0) } ?? sqlite3_bind_null(usable, index))
    }

    /// Binds bytes as a blob; no bytes as an empty one.
    package func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return note(sqlite3_bind_zeroblob(usable, index, 0))  // an address of nil would be NULL
        }
        note(sqlite3_bind_blob64(usable, index, start, UInt64(bytes.count), nil))
    }

    package func bind(text bytes: UnsafeRawBufferPointer, at index: Int32) {
        bind(text: bytes, at: index, nil)
    }

    /// Binds a value of a page.
    package func bind(_ value: ColumnValue, at index: Int32) {
        switch value {
        case .null: note(sqlite3_bind_null(usable, index))
        case .integer(let number): note(sqlite3_bind_int64(usable, index, number))
        case .real(let number): note(sqlite3_bind_double(usable, index, number))
        case .text(let bytes): bind(text: bytes, at: index)
        case .blob(let bytes): bind(bytes, at: index)
        }
    }

    private func bind(text bytes: UnsafeRawBufferPointer, at index: Int32, _ destructor: sqlite3_destructor_type?) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return note(sqlite3_bind_text64(usable, index, "", 0, Self.copying, UInt8(SQLITE_UTF8)))
        }
        let text = start.assumingMemoryBound(to: CChar.self)
        note(sqlite3_bind_text64(usable, index, text, UInt64(bytes.count), destructor, UInt8(SQLITE_UTF8)))
    }

    /// Binds a copy of a value.
    private func bind(_ value: DatabaseValue, at index: Int32) {
        switch value {
        case .null: note(sqlite3_bind_null(usable, index))
        case .integer(let number): note(sqlite3_bind_int64(usable, index, number))
        case .real(let number): note(sqlite3_bind_double(usable, index, number))
        case .text(var text): text.withUTF8 { bind(text: UnsafeRawBufferPointer($0), at: index, Self.copying) }
        case .blob([]): note(sqlite3_bind_zeroblob(usable, index, 0))
        case .blob(let bytes):
            bytes.withUnsafeBytes {
                note(sqlite3_bind_blob64(usable, index, $0.baseAddress, UInt64($0.count), Self.copying))
            }
        }
    }

    /// `SQLITE_TRANSIENT`: SQLite copies the bytes at once.
    private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// The statement; `nil` after the database is closed, which has freed it: then each binding fails.
    private var usable: OpaquePointer? { db.isOpen ? statement : nil }

    private func note(_ code: Int32) { if code != SQLITE_OK { bindingCode = code } }
}

// MARK: - Columns

extension DatabaseQuery {
    fileprivate var columnCount: Int { db.isOpen ? Int(sqlite3_column_count(statement)) : 0 }

    /// The type of a column's value; NULL without a row.
    fileprivate func type(_ index: Int) -> Int32 {
        db.isOpen ? sqlite3_column_type(statement, Int32(index)) : SQLITE_NULL
    }

    fileprivate func integer(_ index: Int) -> Int64 { sqlite3_column_int64(statement, Int32(index)) }
    fileprivate func real(_ index: Int) -> Double { sqlite3_column_double(statement, Int32(index)) }

    /// The text of a column, in UTF-8 whichever encoding the database has.
    fileprivate func text(_ index: Int) -> String {
        let start = sqlite3_column_text(statement, Int32(index))
        let count = Int(sqlite3_column_bytes(statement, Int32(index)))
        return String(decoding: UnsafeBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
    }

    /// The bytes of a blob, until the next step.
    fileprivate func bytes(_ index: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, Int32(index))  // nil for an empty blob
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(index))))
    }
}

/// The current row of a query. Each access returns `nil` for a value of another kind, as damage may leave it.
package struct Row {
    private let query: DatabaseQuery

    fileprivate init(_ query: DatabaseQuery) { self.query = query }

    /// A copy of a value.
    package subscript(_ index: Int) -> DatabaseValue {
        switch query.type(index) {
        case SQLITE_INTEGER: .integer(query.integer(index))
        case SQLITE_FLOAT: .real(query.real(index))
        case SQLITE_TEXT: .text(query.text(index))
        case SQLITE_BLOB: .blob(Array(query.bytes(index)))
        case _: .null
        }
    }

    /// The number of columns.
    package var count: Int { query.columnCount }

    /// Copies of all values.
    package var values: [DatabaseValue] { (0..<query.columnCount).map { self[$0] } }

    package func integer(_ index: Int) -> Int64? {
        query.type(index) == SQLITE_INTEGER ? query.integer(index) : nil
    }

    package func number(_ index: Int) -> Double? { query.type(index) == SQLITE_FLOAT ? query.real(index) : nil }

    package func text(_ index: Int) -> String? {
        query.type(index) == SQLITE_TEXT ? query.text(index) : nil
    }

    package func blob(_ index: Int) -> [UInt8]? { withBlob(index) { $0.map(Array.init) } }

    /// Calls a function with the bytes of a blob in SQLite's memory.
    package func withBlob<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result) rethrows -> Result {
        try body(query.type(index) == SQLITE_BLOB ? query.bytes(index) : nil)
    }
}
