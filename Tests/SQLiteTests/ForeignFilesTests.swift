import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// Things that stand in place of a store's files.
@Suite struct ForeignFilesTests {
    enum Thing: String, CaseIterable {
        case pipe, directory, link, socket

        func put(at path: String) throws {
            switch self {
            case .pipe: #expect(mkfifo(path, 0o600) == 0)
            case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hostname")
            case .socket: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
            }
        }
    }

    private static let names = [
        "track.sqlite", "track.sqlite-wal", "track.sqlite-shm", "track.sqlite-journal", "track.ledger", "track.lock",
        "track.sqlite.salvage", "track.sqlite.salvaged",
    ]

    /// A FIFO would let `open` wait for ever for somebody at its other end.
    @Test(arguments: names, Thing.allCases)
    func `what is no file is refused at once and named`(_ name: String, _ thing: Thing) async throws {
        try await StoreDirectory.with { home in
            await (try home.open()).close()
            let path = home.path + "/" + name
            if try home.names.contains(name) { try FileManager.default.removeItem(atPath: path) }
            try thing.put(at: path)
            await #expect {
                try await home.open()
            } throws: {
                ($0 as? StoreError)?.code == .inputOutput && "\($0)".contains("\(name) is no regular file")
            }
            try FileManager.default.removeItem(atPath: path)
            await (try home.open()).close()
        }
    }

    /// Programs that set no `user_version` have 0, as a new database has; others number as they like.
    @Test(arguments: [0, 1, 2, 3, 4, 1_000, 7_000], [false, true])
    func `a database of another program is refused and stays as it was`(_ version: Int, _ usesLog: Bool) async throws {
        try await StoreDirectory.with { home in
            let db = try Database(path: home.database)
            if usesLog { try db.execute(sql: "PRAGMA journal_mode = WAL") }
            try db.execute(sql: "CREATE TABLE meta (note TEXT)")
            try db.execute(sql: "INSERT INTO meta VALUES ('theirs')")
            try db.execute(sql: "PRAGMA user_version = \(version)")
            try db.close()
            try await expectRefusal(in: home)
        }
    }

    @Test func `a database of another program is refused by any spelling of its path`() async throws {
        try await StoreDirectory.with { home in
            try home.execute("CREATE TABLE note (body TEXT)")
            try await expectRefusal(in: home, openedAs: StoreDirectory(path: "/" + home.path))
            let escaped = home.fresh("50% of #1?")
            try FileManager.default.createDirectory(atPath: escaped.path, withIntermediateDirectories: false)
            try escaped.execute("CREATE TABLE note (body TEXT)")
            try await expectRefusal(in: escaped)
        }
    }

    /// What the other program's log holds is no table yet in the file alone. Many tables lie on several pages.
    @Test(arguments: [1, 300], [false, true])
    func `a database of another program whose tables lie in its log is refused with it`(
        _ count: Int, _ isLong: Bool
    ) async throws {
        try await StoreDirectory.with { home in
            let other = home.fresh()
            let db = try Database(path: home.database)
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
            let column = String(repeating: "b", count: isLong ? 5_000 : 5)
            for number in 0..<count { try db.execute(sql: "CREATE TABLE note\(number) (\(column) TEXT)") }
            try home.copy(to: other)
            try db.close()
            try await expectRefusal(in: other)
        }
    }

    /// Who copies a file over ours seldom thinks of the log beside it.
    @Test func `a database of another program beside a log of ours is refused with it`() async throws {
        try await StoreDirectory.with { home in
            let other = home.fresh()
            let store = try await home.open()
            _ = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
            try home.copy(to: other)
            await store.close()
            try FileManager.default.removeItem(atPath: other.database)
            let made = home.fresh("made")
            try FileManager.default.createDirectory(atPath: made.path, withIntermediateDirectories: false)
            try made.execute("CREATE TABLE note (body TEXT)")
            try FileManager.default.moveItem(atPath: made.database, toPath: other.database)
            try await expectRefusal(in: other)
        }
    }

    @Test func `another program that writes to its database can go on`() async throws {
        try await StoreDirectory.with { home in
            let db = try Database(path: home.database)
            try db.execute(sql: "CREATE TABLE note (body TEXT); PRAGMA cache_size = 4; BEGIN IMMEDIATE")
            let body = String(repeating: "x", count: 1_000)
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO note VALUES (?)", arguments: [body]) }
            #expect(try home.names.contains("track.sqlite-journal"))
            try await expectRefusal(in: home)
            try db.execute(sql: "COMMIT")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 200)
            try db.close()
        }
    }

    /// A repair that was interrupted before its last renames must not take another program's database away.
    @Test func `a database of another program is refused beside an interrupted repair`() async throws {
        try await StoreDirectory.with { home in
            await (try home.open()).close()
            try FileManager.default.moveItem(atPath: home.database, toPath: home.database + ".salvaged")
            try home.execute("CREATE TABLE note (body TEXT)")
            try await expectRefusal(in: home)
        }
    }

    @Test func `a store of ours without its version is repaired`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            let kept = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
            await store.close()
            try home.execute("PRAGMA user_version = 0")
            let repaired = try await home.open()
            #expect(try await repaired.allRecords() == kept)
            await repaired.close()
            #expect(try home.setAside.count == 1)
        }
    }

    /// Expects that opening says whose database it is, twice, and leaves it and the files beside it alone.
    private func expectRefusal(in home: StoreDirectory, openedAs spelling: StoreDirectory? = nil) async throws {
        func files() throws -> [String: [UInt8]] {
            let names = try home.names.filter { $0.hasPrefix("track.sqlite") }
            return try Dictionary(uniqueKeysWithValues: names.map { ($0, try home.bytes(of: $0)) })
        }
        let before = try files()
        let mode = try home.mode(of: "track.sqlite")
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await (spelling ?? home).open() }
            #expect(error?.code == .foreignDatabase)
            let path = (spelling ?? home).path
            expectMessage(error.map { "\($0)" }, as: "a database of another program", replacing: [path: "FOLDER"])
        }
        #expect(try files() == before)
        #expect(try home.mode(of: "track.sqlite") == mode)
    }
}
