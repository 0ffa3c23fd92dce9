import SQLiteAccess
import TrackEngine

/// The tables of a history.
///
/// - `point`: the points, clustered by device and time, so that a day is in adjacent pages. The key makes a
///   repetition of device, time and place impossible. The units of the columns are those of ``PointRow``.
/// - `sender_id`: the names that senders gave points, unless they follow from time and place (``SenderID/text(_:)``);
///   each belongs to one point.
/// - `chunk`: drawings and sums of ranges of time (see ``ChunkTree``); a missing chunk is made when it is needed.
/// - `drawing`: the display of long ranges of time at a zoom (see ``DrawingTable``), made in the same way.
/// - `event`: visits, trips and transitions (see ``EventTable``), clustered by device and beginning; `tag` is the
///   event's id, and `end` the first millisecond after it.
/// - `device`, `source`: names, each stored once.
///
/// An encrypted history has the same tables. Device, time and the numbers of a chunk are readable, so that rows can
/// be found. The rest of a row is sealed (see ``HistoryCipher``), and the place in a point's key is a keyed hash, as is
/// an event's id.
enum HistorySchema {
    /// The version that this release writes for plain histories.
    static let version = 3
    /// The supported versions of plain histories.
    static let versions = 1...version
    /// The version of an encrypted history: a hundred above that of the corresponding plain tables. A release without
    /// support for encryption refuses it as newer.
    static let sealedVersion = 103
    /// The supported versions of encrypted histories.
    static let sealedVersions = 102...sealedVersion

    private static let first = """
        CREATE TABLE device (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE point (
            device INTEGER NOT NULL, time INTEGER NOT NULL, latitude INTEGER NOT NULL, longitude INTEGER NOT NULL,
            altitude INTEGER, accuracy INTEGER, altitude_accuracy INTEGER, speed INTEGER, speed_accuracy INTEGER,
            course INTEGER, course_accuracy INTEGER, satellites INTEGER, battery INTEGER, state INTEGER NOT NULL,
            source INTEGER, sender_id ANY,
            PRIMARY KEY (device, time, latitude, longitude)) STRICT, WITHOUT ROWID;
        CREATE TABLE sender_id (
            device INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (device, id)) STRICT, WITHOUT ROWID;
        \(chunks)
        """

    /// Chunks of the first version have no climb.
    private static let second = """
        DELETE FROM chunk;
        \(drawings)
        """

    private static let third = """
        CREATE TABLE event (
            device INTEGER NOT NULL, begin INTEGER NOT NULL, tag BLOB NOT NULL, "end" INTEGER NOT NULL,
            contents BLOB NOT NULL, PRIMARY KEY (device, begin, tag), UNIQUE (device, tag)) STRICT, WITHOUT ROWID;
        CREATE INDEX event_end ON event (device, "end");
        """

    static let chunks = """
        CREATE TABLE chunk (
            device INTEGER NOT NULL, level INTEGER NOT NULL, number INTEGER NOT NULL, contents BLOB NOT NULL,
            PRIMARY KEY (device, level, number)) STRICT, WITHOUT ROWID;
        """

    static let drawings = """
        CREATE TABLE drawing (
            device INTEGER NOT NULL, level INTEGER NOT NULL, number INTEGER NOT NULL, zoom INTEGER NOT NULL,
            contents BLOB NOT NULL, PRIMARY KEY (device, level, number, zoom)) STRICT, WITHOUT ROWID;
        """

    private static let sealedSecond = """
        CREATE TABLE device (id INTEGER PRIMARY KEY, tag BLOB NOT NULL UNIQUE, contents BLOB NOT NULL) STRICT;
        CREATE TABLE source (id INTEGER PRIMARY KEY, tag BLOB NOT NULL UNIQUE, contents BLOB NOT NULL) STRICT;
        CREATE TABLE point (
            device INTEGER NOT NULL, time INTEGER NOT NULL, tag BLOB NOT NULL, sender BLOB, contents BLOB NOT NULL,
            PRIMARY KEY (device, time, tag)) STRICT, WITHOUT ROWID;
        CREATE TABLE sender_id (
            device INTEGER NOT NULL, tag BLOB NOT NULL, PRIMARY KEY (device, tag)) STRICT, WITHOUT ROWID;
        \(chunks)
        \(drawings)
        """

    /// The statements of each version, without white space. A newer one changes at least one of them, so that damage of
    /// the version's number is known.
    private static let statements: [Int: Set<String>] = [
        1: [first], 2: [first, second], 3: [first, second, third], 102: [sealedSecond], 103: [sealedSecond, third],
    ].mapValues { steps in
        Set(steps.flatMap { $0.split(separator: ";") }.map(withoutSpace).filter { $0.hasPrefix("CREATE") })
    }

    private static func withoutSpace(_ statement: some StringProtocol) -> String {
        String(statement.filter { !$0.isWhitespace })
    }

    /// Refuses a database of a newer release or of another program, before any change.
    static func examine(_ db: Database, path: String) throws {
        let found = try version(of: db)
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE name IS NOT NULL")
        let texts = try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        // A version that these tables never had, or one wrong bit: the header is damaged.
        if let own = statements.first(where: { $0.value == Set(texts.map(withoutSpace)) })?.key, found != own,
            found < own || (found ^ own).nonzeroBitCount == 1
        {
            throw StoreError(.damaged, "its header has version \(found), its tables version \(own)")
        }
        guard tables.isEmpty || found > 0 && tables.contains("sender_id") else {
            throw StoreError(
                .foreignDatabase,
                "\(path): expected a history, found a database of another program; it is left as it is")
        }
        guard found <= version || sealedVersions.contains(found) else {
            throw StoreError(
                .newerSchema, "the history has version \(found), this release knows \(version); use the newer release")
        }
    }

    /// The form of a database.
    enum Format: Hashable {
        /// A database without tables.
        case empty
        case plain, sealed
    }

    static func form(_ connection: HistoryConnection) throws -> Format {
        switch try connection.run({ try version(of: $0) }) {
        case 0: .empty
        case sealedVersions: .sealed
        case _: .plain
        }
    }

    private static func version(of db: Database) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }

    /// Makes the tables that an empty database, or one of an earlier release, lacks.
    static func prepare(_ connection: HistoryConnection) throws {
        let found = try connection.run { try version(of: $0) }
        guard found < version else { return }
        try connection.commit { db in
            for step in [first, second, third][found...] { try db.execute(sql: step) }
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    /// Makes the tables that an encrypted history of an earlier release lacks.
    static func upgradeSealed(_ connection: HistoryConnection) throws {
        guard try connection.run({ try version(of: $0) }) < sealedVersion else { return }
        try connection.commit { db in
            try db.execute(sql: third)
            try db.execute(sql: "PRAGMA user_version = \(sealedVersion)")
        }
    }

    /// Writes the number of an encrypted history's key into the header. Returns whether there was another one.
    static func repairKeyName(_ connection: HistoryConnection, _ seal: HistoryCipher) throws -> Bool {
        let name = Int32(bitPattern: seal.keyName)
        guard try connection.run({ try Int32.fetchOne($0, sql: "PRAGMA application_id") }) != name else { return false }
        try connection.commit { try $0.execute(sql: "PRAGMA application_id = \(name)") }
        try connection.checkpoint()
        return true
    }

    /// Makes the tables of an encrypted history in an empty database.
    static func prepareSealed(_ db: Database, _ seal: HistoryCipher) throws {
        try db.execute(sql: sealedSecond + third)
        try db.execute(sql: "PRAGMA user_version = \(sealedVersion)")
        try db.execute(sql: "PRAGMA application_id = \(Int32(bitPattern: seal.keyName))")
    }
}
