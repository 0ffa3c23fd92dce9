import Foundation
import GRDB
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

    /// Programs that set no `user_version` have 0, as a new database has; others number from 1 as we do.
    @Test(arguments: [0, 1, 2, 3], [false, true])
    func `a database of another program is set aside as it was`(_ version: Int, _ usesLog: Bool) async throws {
        try await StoreDirectory.with { home in
            let queue = try DatabaseQueue(path: home.database)
            try await queue.writeWithoutTransaction { db in
                if usesLog { try db.execute(sql: "PRAGMA journal_mode = WAL") }
                try db.execute(sql: "CREATE TABLE meta (note TEXT)")
                try db.execute(sql: "INSERT INTO meta VALUES ('theirs')")
                try db.execute(sql: "PRAGMA user_version = \(version)")
            }
            try queue.close()
            let theirs = try home.bytes(of: "track.sqlite")
            let store = try await home.open()
            let kept = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
            #expect(try await store.allRecords() == kept)
            await store.close()
            let aside = try #require(try home.setAside.first)
            #expect(try home.bytes(of: aside) == theirs)
        }
    }

    /// What the other program's log holds is no table yet for who looks into the file alone.
    @Test func `a database of another program whose tables lie in its log is set aside with them`() async throws {
        try await StoreDirectory.with { home in
            let other = home.fresh()
            let queue = try DatabaseQueue(path: home.database)
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE note (body TEXT)")
                try db.execute(sql: "INSERT INTO note VALUES ('theirs')")
            }
            try home.copy(to: other)
            try queue.close()
            let store = try await other.open()
            _ = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
            await store.close()
            let aside = try DatabaseQueue(path: other.path + "/" + #require(try other.setAside.first))
            let tables = try await aside.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema") }
            #expect(tables == ["note"])
            try aside.close()
        }
    }
}
