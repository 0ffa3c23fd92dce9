import GRDB
import SQLiteAccess
import TrackEngine

/// The tables, and how a database of an earlier release gets them.
///
/// - `record`: what waits or is kept. The integer primary key is the order of acceptance. No number is given twice:
///   before the newest record is removed, its number goes into `sqlite_sequence`. That is no AUTOINCREMENT (since version
///   3), which would write there with each append. No second index: each would double what an append writes.
/// - `sink`: up to where each sink has settled, with a check, because a flipped bit here would lose records.
/// - `dead`: refused records with a copy of their row, so that pruning does not touch them.
/// - `checkpoint`: where each source's pipeline stood, as far as the newest records do not say it (see ``SourceStates``).
/// - `milestone`: up to where all sinks had settled at a time, while `keepSyncedDays` is set.
/// - `damaged`: rows whose check failed, set aside for a person to look at.
/// - `meta`: counters.
/// - `odometer` (since version 2): what each source's odometer showed last, with a check.
///
/// Version 4 has the tables of version 3. It keeps releases that do not know of events, and would set their rows aside as damaged,
/// from opening the store.
///
/// Only in an encrypted store, which is of version 103 or 104 (see ``OpenedRow``):
/// - `sealed`: values under names, each sealed but for the key's check.
/// - `sealed_milestone`: milestones with a sealed time.
enum Schema {
    /// The version that this release writes where rows are in plain.
    static let version = 4
    /// The version of an encrypted store: a hundred above that of the tables that it has beside its own. A release that does
    /// not know of encryption refuses it as newer.
    static let sealedVersion = 104
    /// The versions of encrypted stores that this release knows; the older one has the same tables.
    private static let sealedVersions = 103...sealedVersion
    /// Versions beyond this one are no versions but damage.
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

    /// Takes AUTOINCREMENT away. That is a matter of the definition only, the rows stay as they are; SQLite describes this
    /// way (ALTER TABLE, section 7). A copy of the table would need its space twice.
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

    /// How a database keeps what its rows say.
    enum Form {
        case plain, sealed
    }

    /// Brings a database up to date, in one transaction. A new one is encrypted where there is a seal.
    ///
    /// - Throws: ``StoreError/Code/wrongKey`` for an encrypted one, without its key.
    static func prepare(_ connection: Connection, path: String, _ seal: RowSeal?) throws -> Form {
        let found = try connection.run { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        try connection.run { try ForeignTables.refuse($0, version: found, path: path) }
        try refuseNewer(found)
        if isSealed(found) {
            try connection.run { try KeyGuard.refuse($0, seal) }
            if found < sealedVersion { try raise(connection, to: sealedVersion) }
            return .sealed
        }
        // A damaged version must not have sealed rows taken for rows in plain that are all broken.
        if found > 0, try connection.run({ try SealedTable.isThere(in: $0) }) {
            throw StoreError(.damaged, "its tables are those of an encrypted store, its version \(found) is not")
        }
        guard found == 0, let seal else {
            try preparePlain(connection, found)
            return .plain
        }
        try connection.commit(.durable) { db in
            for part in [first, second, third, sealed] { try db.execute(sql: part) }
            try SealedTable(db).put(check: seal.check)
            try db.execute(sql: "PRAGMA user_version = \(sealedVersion)")
        }
        try connection.run { try $0.execute(sql: "PRAGMA writable_schema = RESET") }
        // From the file alone it can be seen whose key it takes, before there is a record.
        try connection.checkpoint()
        return .sealed
    }

    /// Says in an encrypted database of an earlier release that its rows may be ones which that release does not know. Nothing else is
    /// different: one page is written, so it has happened or has not.
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
        // Lets this connection read the definitions anew; later ones do anyway.
        try connection.run { try $0.execute(sql: "PRAGMA writable_schema = RESET") }
    }

    /// Looks into the file without opening it as a database, so that one of a newer release stays untouched.
    static func refuseNewer(path: String) throws(StoreError) {
        if let found = version(path: path) { try refuseNewer(found) }
    }

    /// The version in a database's header; `nil` for what has none.
    static func version(path: String) -> Int? { DatabaseHeader(path: path)?.version }

    /// Whether a database's header says that it is encrypted.
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
