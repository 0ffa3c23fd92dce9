import Foundation
import SQLiteAccess
import TrackEngine
import TrackEngineSQLite

/// Stores as earlier releases have left them, made from their tables.
struct OldStore {
    /// 1 or 2.
    let version: Int

    private static let row = "uid BLOB NOT NULL, time INTEGER NOT NULL, payload BLOB NOT NULL, crc INTEGER NOT NULL"

    /// The tables of version 1, as its release made them, and what version 2 added.
    private var tables: String {
        """
        CREATE TABLE record (seq INTEGER PRIMARY KEY AUTOINCREMENT, \(Self.row)) STRICT;
        CREATE TABLE sink (name TEXT NOT NULL PRIMARY KEY, settled INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT;
        CREATE TABLE dead (
            id INTEGER PRIMARY KEY AUTOINCREMENT, sink TEXT NOT NULL, reason TEXT NOT NULL, refused INTEGER NOT NULL,
            requeued INTEGER NOT NULL, seq INTEGER NOT NULL, \(Self.row)) STRICT;
        CREATE TABLE checkpoint (
            source TEXT NOT NULL PRIMARY KEY, movement INTEGER NOT NULL, standby INTEGER NOT NULL,
            seq INTEGER NOT NULL, \(Self.row)) STRICT;
        CREATE TABLE milestone (upto INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT;
        CREATE TABLE damaged (origin TEXT NOT NULL, seq ANY, uid ANY, time ANY, payload ANY, crc ANY) STRICT;
        CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT;
        \(version < 2 ? "" : """
            CREATE TABLE odometer (source TEXT NOT NULL PRIMARY KEY, metres REAL NOT NULL, crc INTEGER NOT NULL) STRICT;
            """)
        PRAGMA user_version = \(version);
        """
    }

    /// Makes a store with the records 1 to `count`; sink "a" has settled a third of them, "b" none, and one is dead.
    func make(in directory: String, count: Int) throws -> [LedgerEntry] {
        let settled = count / 3
        let db = try Database(path: directory + "/track.sqlite")
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
        try db.execute(sql: tables)
        try db.immediateTransaction { db in
            for number in 1...count { try insert(number, into: "record (", [], db) }
            try insert(
                settled, into: "dead (sink, reason, refused, requeued, ", ["a", "422", Int64(0), Int64(0)], db)
            try db.execute(
                sql: "INSERT INTO sink VALUES ('a', ?, ?)",
                arguments: [
                    settled,
                    check {
                        $0.combine("a".utf8)
                        $0.combine(Int64(settled))
                    },
                ])
        }
        try db.close()
        return (1...count).flatMap { number in
            [.intent(number: number), .accepted(number: number, sequence: Int64(number))]
        } + [
            .delivered(sink: "a", through: Int64(settled)), .settled(sink: "a", through: Int64(settled)),
            .refusing(sink: "a", sequence: Int64(settled)), .refused(sink: "a", sequence: Int64(settled)),
        ]
    }

    private func insert(
        _ number: Int, into table: String, _ before: [any DatabaseField], _ db: Database
    ) throws {
        let draft = WorkloadRecord.draft(number)
        let id = draft.id.bytes
        let time = draft.fix.time.nanosecondsSince1970
        let payload = RecordCodec.encode(draft)
        let crc = check { check in
            check.combine(Int64(number))
            check.combine(id)
            check.combine(time)
            check.combine(payload)
        }
        let values: [any DatabaseField] = before + [number, id, time, payload, crc]
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try db.execute(
            sql: "INSERT INTO \(table)seq, uid, time, payload, crc) VALUES (\(marks))",
            arguments: values)
    }

    private func check(_ body: (inout CRC32) -> Void) -> Int64 {
        var check = CRC32()
        body(&check)
        return Int64(check.value)
    }
}
