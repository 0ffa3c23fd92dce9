import GRDBSQLite

/// Reads a database's file, without its log, as immutable: opening it normally would already change the files.
enum ReadOnlyDatabase {
    /// The first column of a query's result, texts and blobs as bytes; `nil` if the file cannot be read.
    static func firstColumn(of sql: String, in path: String) -> [[UInt8]]? {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        // Two slashes at the beginning would be read as a host.
        let uri = "file:" + (path.hasPrefix("//") ? "//" : "") + escaped(path) + "?immutable=1"
        guard sqlite3_open_v2(uri, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK else {
            return nil
        }
        return values(handle, sql)
    }

    private static func values(_ handle: OpaquePointer?, _ sql: String) -> [[UInt8]]? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        defer { sqlite3_finalize(statement) }
        var values: [[UInt8]] = []
        var result = sqlite3_step(statement)
        while result == SQLITE_ROW {
            let start = sqlite3_column_blob(statement, 0)
            let count = Int(sqlite3_column_bytes(statement, 0))
            if start != nil { values.append(Array(UnsafeRawBufferPointer(start: start, count: count))) }
            result = sqlite3_step(statement)
        }
        return result == SQLITE_DONE ? values : nil
    }

    /// A path as a part of a URI (SQLite, "Uniform Resource Identifiers", section 3.1).
    private static func escaped(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }
}
