import SQLiteAccess
import TrackEngine

/// The tables, and the migration of databases of earlier releases.
///
/// - `record`: the records that wait or are kept. The integer primary key is the order of acceptance. No number is
///   assigned twice: before the newest record is removed, its number is written to `sqlite_sequence`. The key is not
///   AUTOINCREMENT (since version 3), which would write that table with each append. There is no second index, because
///   each would double the amount that an append writes.
/// - `sink`: the cursor of each sink, with a check, because a flipped bit here would lose records.
/// - `dead`: refused records with a copy of their row, so that pruning does not affect them.
/// - `checkpoint`: the state of each source's pipeline, unless it is in the newest records (see ``SourceStateTable``).
/// - `milestone`: the number up to which all sinks had settled at a time, while `keepSyncedDays` is set.
/// - `damaged`: rows whose check failed, set aside for inspection.
/// - `meta`: counters.
/// - `odometer` (since version 2): the last reading of each source's odometer, with a check.
///
/// Version 4 has the tables of version 3. It prevents releases that do not know events, and would set such rows aside
/// as damaged, from opening the store.
///
/// Only in an encrypted store, which has version 103 or 104 (see ``RowContent``):
/// - `sealed`: values under names, each encrypted except the key's check.
/// - `sealed_milestone`: milestones with an encrypted time.
enum Schema {
    /// The version that this release writes if rows are unencrypted.
    static let version = 4
    /// The version of an encrypted store: a hundred above the version of the tables that it also has. A release that
    /// does not know encryption rejects it as newer.
    static let sealedVersion = 104
    /// The versions of encrypted stores that this release supports; the older one has the same tables.
    private static let sealedVersions = 103...sealedVersion
    /// A version above this one is damage.
    private static let highestBelievable = 1000

    private static let row = "uid BLOB NOT NULL, time INTEGER NOT NULL, payload BLOB NOT NULL, crc INTEGER NOT NULL"

    private static let first = """
        CREATE TABLE record (seq INTEGER PRIMARY KEY AUTOINCREMENT, \(row)) STRICT;
        CREATE TABLE sink (name TEXT NOT NULL PRIMARY KEY, settled INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT;
        CREATE TABLE dead (
            id INTEGER PRIMARY KEY AUTOINCREMENT, sink TEXT NOT NULL, reason TEXT NOT NULL, refused INTEGER NOT NULL,
            requeued INTEGER NOT NULL, seq INTEGER NOT NULL, \(row)) STRICT;
        CREATE TABLE checkpoint (
            source TEXT NOT NULL PRIMARY KEY, movement INTEGER NOT NULL, standby INTEGER NOT NULL,
            seq INTEGER NOT NULL, \(row)) STRICT;
        CREATE TABLE milestone (upto INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT;
        CREATE TABLE damaged (origin TEXT NOT NULL, seq ANY, uid ANY, time ANY, payload ANY, crc ANY) STRICT;
        CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT;
        """

    private static let second = """
        CREATE TABLE odometer (source TEXT NOT NULL PRIMARY KEY, metres REAL NOT NULL, crc INTEGER NOT NULL) STRICT;
        """

    /// Removes AUTOINCREMENT. That changes only the definition, not the rows; SQLite documents this method (ALTER
    /// TABLE, section 7). A copy of the table would need its space twice.
    private static let third = """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'PRIMARY KEY AUTOINCREMENT', 'PRIMARY KEY')
            WHERE type = 'table' AND name = 'record';
        PRAGMA writable_schema = OFF;
        """

    private static let sealed = """
        CREATE TABLE sealed (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
        CREATE TABLE sealed_milestone (upto INTEGER PRIMARY KEY, time BLOB NOT NULL) STRICT;
        """

    /// The form in which a database keeps the contents of its rows.
    enum Format {
        case plain, sealed
    }

    /// Migrates a database to the current version, in one transaction. A new one is encrypted if there is a seal.
    ///
    /// - Throws: ``StoreError/Code/wrongKey`` for an encrypted database without its key.
    static func prepare(_ connection: Connection, path: String, _ seal: RowCipher?) throws -> Format {
        let found = try connection.run { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        try connection.run { try ForeignTableCheck.refuse($0, version: found, path: path) }
        try refuseNewer(found)
        if isSealed(found) {
            try connection.run { try KeyGuard.refuse($0, seal) }
            if found < sealedVersion { try raise(connection, to: sealedVersion) }
            return .sealed
        }
        // With a damaged version, encrypted rows must not be treated as unencrypted rows that are all damaged.
        if found > 0, try connection.run({ try EncryptedTable.isThere(in: $0) }) {
            throw StoreError(.damaged, "its tables are those of an encrypted store, its version \(found) is not")
        }
        guard found == 0, let seal else {
            try preparePlain(connection, found)
            return .plain
        }
        try connection.commit(.durable) { db in
            for part in [first, second, third, sealed] { try db.execute(sql: part) }
            try EncryptedTable(db).put(check: seal.check)
            try db.execute(sql: "PRAGMA user_version = \(sealedVersion)")
        }
        try connection.run { try $0.execute(sql: "PRAGMA writable_schema = RESET") }
        // The file alone then shows which key it needs, even before it has a record.
        try connection.checkpoint()
        return .sealed
    }

    /// Marks an encrypted database of an earlier release as one that may have rows which that release does not know.
    /// There is no other change: only one page is written, so the migration is atomic.
    private static func raise(_ connection: Connection, to version: Int) throws {
        try connection.commit(.durable) { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    }

    private static func preparePlain(_ connection: Connection, _ found: Int) throws {
        guard found < version else { return }
        try connection.commit(.durable) { db in
            if found < 1 { try db.execute(sql: first) }
            if found < 2 { try db.execute(sql: second) }
            if found < 3 { try db.execute(sql: third) }
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        // Lets this connection read the definitions again; later connections do so anyway.
        try connection.run { try $0.execute(sql: "PRAGMA writable_schema = RESET") }
    }

    /// Rejects a newer version by reading the file without opening it as a database, so that a newer database is not
    /// changed.
    static func refuseNewer(path: String) throws(StoreError) {
        if let found = version(path: path) { try refuseNewer(found) }
    }

    /// The version in a database's header; `nil` if the file has no such header.
    static func version(path: String) -> Int? { DatabaseHeader(path: path)?.version }

    /// Whether a database's header marks it as encrypted.
    static func isSealed(path: String) -> Bool { isSealed(version(path: path)) }

    /// Whether a version is one of encrypted databases.
    static func isSealed(_ version: Int?) -> Bool { version.map(sealedVersions.contains) ?? false }

    private static func refuseNewer(_ found: Int) throws(StoreError) {
        guard found <= highestBelievable, found >= 0 else {
            throw StoreError(.damaged, "the store's version cannot be \(found)")
        }
        guard found <= version || isSealed(found) else {
            throw StoreError(
                .newerSchema, "the store has version \(found), this release knows \(version); use the newer release")
        }
    }
}
