import CSQLite

/// A connection to an SQLite database.
///
/// The type is not `Sendable`, so the compiler shows that one task at a time uses a connection. SQLite therefore needs
/// no lock of its own.
package final class Database {
    /// The use of the file.
    package enum Access: Sendable {
        /// Reads and writes; makes a missing file.
        case full
        /// Reads, with the database's log and locks.
        case reading
        /// Reads the file alone, without its log and without locks; changes no file.
        case immutable
    }

    /// The most compiled queries that wait for their next use.
    private static let mostIdle = 100

    /// SQLite's connection; `nil` once it is closed.
    private(set) var connection: OpaquePointer?
    private var idle: [String: OpaquePointer] = [:]

    package var isOpen: Bool { connection != nil }

    /// Opens a database; its file is read by the first query.
    ///
    /// - Parameters:
    ///   - patience: the milliseconds to wait for a lock of another connection.
    ///   - longest: the most bytes of a value, for a file of others.
    package init(
        path: String, _ access: Access = .full, patience: Int32 = 5_000, longest: Int32? = nil
    ) throws(DatabaseError) {
        let (name, flags) =
            switch access {
            case .full: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            case .reading: (path, SQLITE_OPEN_READONLY)
            case .immutable: (Self.uri(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            }
        let result = sqlite3_open_v2(name, &connection, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let connection else { throw DatabaseError(DatabaseError.Code(rawValue: result)) }
        guard result == SQLITE_OK else {
            let error = DatabaseError(lastOf: connection)
            sqlite3_close(connection)
            self.connection = nil
            throw error
        }
        sqlite3_busy_timeout(connection, patience)
        if let longest { sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, longest) }
        csqlite_refuse_double_quoted_strings(connection)
    }

    /// A path as a URI (SQLite, "Uniform Resource Identifiers", section 3.1).
    private static func uri(_ path: String) -> String {
        let escapes: [Unicode.Scalar: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        let escaped = path.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
        // Two slashes at the beginning would be read as a host.
        return "file:" + (path.hasPrefix("//") ? "//" : "") + escaped
    }

    deinit { try? close() }  // close() itself reports the error

    /// Closes the connection; queries that are still held end with an error.
    package func close() throws(DatabaseError) {
        guard let connection else { return }
        self.connection = nil
        idle = [:]
        while let statement = sqlite3_next_stmt(connection, nil) { sqlite3_finalize(statement) }
        let result = sqlite3_close(connection)
        guard result == SQLITE_OK else { throw DatabaseError(DatabaseError.Code(rawValue: result)) }
    }

    // MARK: - Queries

    /// Runs statements that a semicolon separates, each to its end.
    package func execute(sql: String) throws(DatabaseError) {
        var rest = Array(sql.utf8)[...]
        while let statement = try compile(&rest) {
            try DatabaseQuery(self, "", statement).run()
        }
    }

    /// Runs one statement to its end.
    package func execute(sql: String, arguments: [any DatabaseField]) throws(DatabaseError) {
        let rows = try rows(sql: sql, arguments: arguments)
        while try rows.next() != nil {}
    }

    /// The rows of one statement.
    package func rows(sql: String, arguments: [any DatabaseField] = []) throws(DatabaseError) -> DatabaseQuery {
        let query = try query(sql)
        try query.begin(arguments)
        return query
    }

    /// A compiled statement, for values that are bound by hand.
    package func query(_ sql: String) throws(DatabaseError) -> DatabaseQuery {
        if let statement = idle.removeValue(forKey: sql) { return DatabaseQuery(self, sql, statement) }
        var rest = Array(sql.utf8)[...]
        guard let statement = try compile(&rest) else { throw DatabaseError(.misuse, "there is no statement") }
        return DatabaseQuery(self, sql, statement)
    }

    /// Keeps a statement for its next use. SQLite itself compiles a pragma anew each time.
    func takeBack(_ statement: OpaquePointer, of sql: String) {
        guard isOpen else { return }  // closing has freed it
        guard !sql.isEmpty, idle[sql] == nil else {
            sqlite3_finalize(statement)
            return
        }
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
        if idle.count == Self.mostIdle {
            for statement in idle.values { sqlite3_finalize(statement) }
            idle = [:]
        }
        idle[sql] = statement
    }

    /// Compiles the first statement of a text, and removes it from the text; `nil` when there is none.
    private func compile(_ sql: inout ArraySlice<UInt8>) throws(DatabaseError) -> OpaquePointer? {
        while !sql.isEmpty {
            guard let connection else { throw .closed }
            var statement: OpaquePointer?
            let (result, length) = sql.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { text in
                    var end: UnsafePointer<CChar>?
                    let result = sqlite3_prepare_v2(
                        connection, text.baseAddress, Int32(clamping: text.count), &statement, &end)
                    return (result, text.baseAddress.flatMap { end?.distance(to: $0) }.map { -$0 } ?? 0)
                }
            }
            guard result == SQLITE_OK else { throw DatabaseError(lastOf: connection) }
            sql = sql.dropFirst(max(1, length))
            if let statement { return statement }
        }
        return nil
    }

    // MARK: - Results

    /// The number of compiled queries that wait for their next use.
    package var idleCount: Int { idle.count }
    /// The number of rows that the last statement has changed.
    package var changesCount: Int { connection.map { Int(sqlite3_changes64($0)) } ?? 0 }
    /// The number of rows that all statements have changed.
    package var totalChangesCount: Int { connection.map { Int(sqlite3_total_changes64($0)) } ?? 0 }
    /// The number of the last row that was inserted.
    package var lastInsertedRowID: Int64 { connection.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// Whether the path of the file leads to another file, or to none. A connection that cannot find out is still the
    /// one that was opened.
    package var hasMoved: Bool {
        guard let connection else { return false }
        var moved: Int32 = 0
        return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }
}
