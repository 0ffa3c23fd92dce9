import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

@Suite struct StoreFilesTests {
    @Test func `directory and files are for their owner only, whatever the umask`() async throws {
        try await StoreDirectory.with { root in
            let before = umask(0)
            defer { umask(before) }
            let home = root.fresh("deep/er")
            let store = try await home.open()
            _ = try await store.append(StoreMaterial.drafts(0..<10), checkpoint: nil)
            #expect(try home.mode(of: "") == 0o700)
            let names = try home.names
            let expected = [
                "track.ledger", "track.lock", "track.reserve", "track.sqlite", "track.sqlite-shm", "track.sqlite-wal",
            ]
            #expect(names == expected)
            for name in names { #expect(try home.mode(of: name) == 0o600, "\(name)") }
            await store.close()
        }
    }

    @Test func `an existing store becomes private, a folder of other things keeps its mode`() async throws {
        try await StoreDirectory.with { root in
            let home = root.fresh("own")
            await (try home.open()).close()
            // What the agent keeps there too, private like the store's own files.
            for name in ["device-id", "trackd.sock"] {
                _ = FileManager.default.createFile(
                    atPath: home.path + "/" + name, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: home.database)
            await (try home.open()).close()
            #expect(try home.mode(of: "") == 0o700)
            #expect(try home.mode(of: "track.sqlite") == 0o600)

            let shared = root.fresh("shared")
            try FileManager.default.createDirectory(atPath: shared.path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shared.path)
            _ = FileManager.default.createFile(
                atPath: shared.path + "/letter.txt", contents: nil, attributes: [.posixPermissions: 0o644])
            await (try shared.open()).close()
            #expect(try shared.mode(of: "") == 0o755)
            #expect(try shared.mode(of: "track.sqlite") == 0o600)
        }
    }

    @Test func `a link in the database's place is refused`() async throws {
        try await StoreDirectory.with { root in
            let home = root.fresh("home")
            try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: home.database, withDestinationPath: root.path + "/target")
            await #expect { try await home.open() } throws: { ($0 as? StoreError)?.code == .inputOutput }
            #expect(!FileManager.default.fileExists(atPath: root.path + "/target"))
        }
    }

    @Test func `a second store in this process is refused until the first is closed`() async throws {
        try await StoreDirectory.with { home in
            let first = try await home.open()
            await #expect { try await home.open() } throws: { ($0 as? StoreError)?.code == .locked }
            await first.close()
            await (try home.open()).close()
        }
    }

    /// Between fork(2) and exec(2) a program that is being started has copies of all descriptors, as here.
    /// A descriptor's number is given again at once: who closes it twice closes a file of somebody else.
    @Test func `a store that is refused closes its lock's file once`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            let isDone = SystemMutex(false)
            let lost = SystemMutex(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await SystemThread.run {
                        while !isDone.withLock({ $0 }) {
                            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                            if close(descriptor) != 0 { lost.withLock { $0 += 1 } }
                        }
                    }
                }
                for _ in 0..<500 {
                    await #expect { try await home.open() } throws: { ($0 as? StoreError)?.code == .locked }
                }
                isDone.withLock { $0 = true }
                try await group.waitForAll()
            }
            #expect(lost.withLock { $0 } == 0)
            await store.close()
        }
    }

    @Test func `a closed store can be opened though a child has a copy of its lock's descriptor`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            let file = home.path + "/track.lock"
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                Int32($0)
            }
            // No link: closed meanwhile.
            let lock = try #require(
                descriptors.first {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == file
                })
            let copy = dup(lock)
            defer { close(copy) }
            await store.close()
            await (try home.open()).close()
        }
    }

    @Test func `a second process is refused until the first is gone, in whatever way`() async throws {
        try await StoreDirectory.with { home in
            let holder = try ChildProcess(TestEnvironment.builtProduct("store-writer"), [home.path, "hold"])
            await eventually("the other process holds the store") { holder.text.contains("holding") }
            await #expect { try await home.open() } throws: { ($0 as? StoreError)?.code == .locked }
            holder.killNow()
            await (try home.open()).close()
        }
    }

    @Test func `a newer release's store is refused and stays as it is`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            _ = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
            await store.close()
            let db = try Database(path: home.database)
            try db.execute(sql: "PRAGMA user_version = 5")
            try db.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: home.database))
            await #expect { try await home.open() } throws: { ($0 as? StoreError)?.code == .newerSchema }
            #expect(try Data(contentsOf: URL(fileURLWithPath: home.database)) == before)
            #expect(try home.setAside == [])
        }
    }

    @Test func `a directory that cannot be made is named in the error`() async throws {
        try await StoreDirectory.with { root in
            try Data().write(to: URL(fileURLWithPath: root.path + "/file"))
            let home = root.fresh("file/below")
            await #expect { try await home.open() } throws: { error in
                (error as? StoreError)?.code == .inputOutput && "\(error)".contains("file/below")
            }
        }
    }

    @Test(arguments: [
        "", "x", "track-engine-ledger 1\n", "track-engine-ledger 1\nceiling 5\nclosed no\ncheck 1\n",
        "track-engine-ledger 1\nceiling -5\nclosed no\ncheck 3\n",
    ])
    func `a damaged ledger is no ledger`(_ text: String) {
        #expect(StoreLedger(bytes: Array(text.utf8)) == nil)
    }

    @Test(arguments: [nil, 0, 12] as [Int?])
    func `a ledger reads back, and one flipped bit spoils it`(_ count: Int?) {
        let ledger = StoreLedger(ceiling: 20_000, countAtClose: count)
        #expect(StoreLedger(bytes: ledger.bytes) == ledger)
        for index in ledger.bytes.indices {
            var bytes = ledger.bytes
            bytes[index] ^= 1
            #expect(StoreLedger(bytes: bytes) == nil)
        }
    }
}
