import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// Stores that earlier releases have written.
@Suite struct MigrationTests {
    /// The tables of version 1, as its release made them.
    private static let first = """
        CREATE TABLE record (seq INTEGER PRIMARY KEY AUTOINCREMENT, uid BLOB NOT NULL, time INTEGER NOT NULL,
            payload BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
        CREATE TABLE sink (name TEXT NOT NULL PRIMARY KEY, settled INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT;
        CREATE TABLE dead (
            id INTEGER PRIMARY KEY AUTOINCREMENT, sink TEXT NOT NULL, reason TEXT NOT NULL, refused INTEGER NOT NULL,
            requeued INTEGER NOT NULL, seq INTEGER NOT NULL, uid BLOB NOT NULL, time INTEGER NOT NULL,
            payload BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
        CREATE TABLE checkpoint (
            source TEXT NOT NULL PRIMARY KEY, movement INTEGER NOT NULL, standby INTEGER NOT NULL,
            seq INTEGER NOT NULL, uid BLOB NOT NULL, time INTEGER NOT NULL, payload BLOB NOT NULL, crc INTEGER NOT NULL
            ) STRICT;
        CREATE TABLE milestone (upto INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT;
        CREATE TABLE damaged (origin TEXT NOT NULL, seq ANY, uid ANY, time ANY, payload ANY, crc ANY) STRICT;
        CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT;
        PRAGMA user_version = 1;
        """

    /// A record as version 1 wrote it: 48° N 11° E, moving (bit 0), altitude 500 m (bit 1), cause distance, no flags, of
    /// `gpsd`.
    private static let payload: [UInt8] =
        [1, 3, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0x48, 0x40] + [0, 0, 0, 0, 0, 0, 0x26, 0x40] + [2, 0]
        + [0, 0, 0, 0, 0, 0x40, 0x7f, 0x40] + [4, 0] + Array("gpsd".utf8)

    private func makeFirst(_ home: StoreDirectory) throws {
        let db = try Database(path: home.database)
        let (id, time) = ([UInt8](repeating: 7, count: 16), Int64(1_772_366_400_000_000_000))
        var check = CRC32()
        check.combine(Int64(1))
        check.combine(id)
        check.combine(time)
        check.combine(Self.payload)
        let value = Int64(check.value)
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        try db.execute(sql: Self.first)
        try db.execute(
            sql: "INSERT INTO record VALUES (1, ?, ?, ?, ?)", arguments: [id, time, Array(Self.payload), value])
        try db.close()
    }

    @Test func `a store of version 1 keeps its records and gets an odometer`() async throws {
        try await StoreDirectory.with { home in
            try makeFirst(home)
            let store = try await home.open()
            let records = try await store.records(after: .zero, limit: 10)
            #expect(records.count == 1)
            #expect(records.first?.fix.coordinate == Coordinate(latitude: 48, longitude: 11))
            #expect(records.first?.fix.altitude == 500)
            #expect(records.first?.cause == .distance)
            #expect(records.first?.odometer == nil)
            #expect(try await store.odometers() == [:])
            _ = try await store.append(StoreMaterial.drafts(4..<6), checkpoint: nil)
            let odometers = try await store.odometers()
            #expect(odometers == ["law": 62.5])
            #expect(try home.setAside == [])
            await store.close()
        }
    }

    /// Makes the store above one of version 2, with an odometer and numbers that have been given up to 40.
    private func makeSecond(_ home: StoreDirectory) throws {
        try makeFirst(home)
        let db = try Database(path: home.database)
        var check = CRC32()
        check.combine("gpsd".utf8)
        check.combine(Int64(bitPattern: 1234.5.bitPattern))
        let value = Int64(check.value)
        try db.execute(
            sql: """
                CREATE TABLE odometer (
                    source TEXT NOT NULL PRIMARY KEY, metres REAL NOT NULL, crc INTEGER NOT NULL) STRICT;
                UPDATE sqlite_sequence SET seq = 40 WHERE name = 'record';
                INSERT INTO checkpoint SELECT 'gpsd', time, 1, 0, uid, time, payload, 0 FROM record;
                PRAGMA user_version = 2;
                """)
        try db.execute(sql: "INSERT INTO odometer VALUES ('gpsd', 1234.5, ?)", arguments: [value])
        try db.close()
    }

    @Test func `a store of version 2 keeps its numbers and odometers, and appends leave SQLite's counter alone`()
        async throws
    {
        try await StoreDirectory.with { home in
            try makeSecond(home)
            let store = try await home.open()
            #expect(try await store.status().lastSequence.rawValue == 40)
            #expect(try await store.odometers() == ["gpsd": 1234.5])
            let next = try await store.append(StoreMaterial.drafts(0..<1), checkpoint: nil)
            #expect(next.map(\.sequence.rawValue) == [41])
            let copy = home.fresh("killed")
            try home.copy(to: copy)
            await store.close()
            let db = try Database(path: copy.database)
            #expect(try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'") == 40)
            #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 4)
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'record'")
            #expect(sql?.contains("AUTOINCREMENT") == false)
            try db.close()
            let again = try await copy.open()
            let last = try await again.append(StoreMaterial.drafts(1..<2), checkpoint: nil)
            #expect(try #require(last.first).sequence.rawValue > 41)
            await again.close()
        }
    }

    /// Sets the number that a closed store's database has; returns its bytes.
    private func setVersion(_ version: Int, of home: StoreDirectory) async throws {
        let db = try Database(path: home.database)
        try db.execute(sql: "PRAGMA user_version = \(version)")
        try db.close()
    }

    private func version(of home: StoreDirectory) async throws -> Int? {
        let db = try Database(path: home.database)
        defer { try? db.close() }  // a test's own connection
        return try Int.fetchOne(db, sql: "PRAGMA user_version")
    }

    @Test(
        arguments: [3, 103])
    func `a store of the version before keeps all, and then says what older releases do not know`(before: Int)
        async throws
    {
        try await StoreDirectory.with { root in
            let home = before > 100 ? StoreDirectory(path: root.path + "/store", key: .random()) : root
            let store = try await home.open()
            let records = try await store.append(
                StoreMaterial.drafts(0..<9) + StoreMaterial.events(8), checkpoint: StoreMaterial.checkpoint(8))
            await store.close()
            #expect(try await version(of: home) == before + 1)
            try await setVersion(before, of: home)
            let again = try await home.open()
            #expect(try await again.allRecords() == records)
            #expect(try await again.checkpoints().count == 1)
            // What a kill right after the opening leaves.
            let killed = home.fresh("killed")
            try home.copy(to: killed)
            await again.close()
            #expect(try await version(of: killed) == before + 1)
            #expect(try await version(of: home) == before + 1)
            #expect(try home.setAside == [])
            let last = try await killed.open()
            #expect(try await last.allRecords() == records)
            await last.close()
        }
    }

    @Test(arguments: [3, 103])
    func `a damaged store of the version before is copied into one of this version`(before: Int) async throws {
        try await StoreDirectory.with { root in
            let home = before > 100 ? StoreDirectory(path: root.path + "/store", key: .random()) : root
            let store = try await home.open()
            _ = try await store.append(StoreMaterial.drafts(0..<300), checkpoint: nil)
            await store.close()
            try await setVersion(before, of: home)
            let pages = try home.bytes(of: "track.sqlite").count / 4096
            for page in pages / 2..<pages / 2 + 4 {
                try home.overwritePage(page, with: Array(repeating: 0, count: 4096))
            }
            // Without it the database is looked at as after a crash.
            try FileManager.default.removeItem(atPath: home.path + "/track.ledger")
            let again = try await home.open()
            let count = try await again.status().count
            #expect(count > 0 && count < 300)
            await again.close()
            #expect(try await version(of: home) == before + 1)
        }
    }

    @Test func `an odometer's reading outlives its record, the checkpoints and the store being cleared`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            _ = try await store.append(StoreMaterial.drafts(0..<9), checkpoint: StoreMaterial.checkpoint(8))
            try await store.forgetCheckpoints()
            try await store.clear()
            await store.close()
            let again = try await home.open()
            let odometers = try await again.odometers()
            #expect(odometers == ["law": 100])
            await again.close()
        }
    }

    @Test func `a damaged reading is no reading`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            _ = try await store.append(StoreMaterial.drafts(0..<9), checkpoint: nil)
            await store.close()
            let db = try Database(path: home.database)
            try db.execute(sql: "UPDATE odometer SET metres = 1e9")
            try db.close()
            let again = try await home.open()
            #expect(try await again.odometers() == [:])
            await again.close()
        }
    }
}
