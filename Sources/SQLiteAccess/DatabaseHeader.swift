/// The header of a database's file, read without opening it as a database: opening would already change its files.
///
/// Numbers are big-endian (SQLite file format, section 1.3).
package struct DatabaseHeader: Sendable, Hashable {
    /// `PRAGMA user_version`, from byte 60 on.
    package let version: Int
    /// `PRAGMA application_id`, from byte 68 on.
    package let applicationID: UInt32

    /// Reads the header of a file; `nil` for a file that is no database, or does not exist.
    package init?(path: String) {
        let head = DatabaseFile.head(of: path, count: 72)
        guard head.count == 72, head.starts(with: Array("SQLite format 3".utf8)) else { return nil }
        version = head[60..<64].reduce(0) { $0 << 8 | Int($1) }
        applicationID = head[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
