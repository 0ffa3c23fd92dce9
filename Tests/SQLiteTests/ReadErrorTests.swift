import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// A read error says nothing about a database.
@Suite struct ReadErrorTests {
    private static let count = 20_000

    /// A store as a killed process leaves it, so that the next start reads all of it.
    private func killedStore(in root: StoreDirectory) async throws -> StoreDirectory {
        let home = root.fresh("original")
        let store = try await home.open()
        _ = try await store.append(StoreMaterial.drafts(0..<Self.count), checkpoint: nil)
        await store.close()
        let again = try await home.open()
        let copy = root.fresh("killed")
        try home.copy(to: copy)
        await again.close()
        return copy
    }

    /// SQLite's own reads fail in another process.
    @Test func `a store whose reads fail for a while is neither set aside nor loses a delivery`() async throws {
        try await StoreDirectory.with { root in
            let home = try await killedStore(in: root)
            let reader = try ChildProcess(TestEnvironment.builtProduct("store-writer"), [home.path, "unreadable"])
            _ = await reader.exit()
            await eventually("its words have arrived") { reader.text.contains("delivered") }
            #expect(reader.text.contains("delivered \(Self.count)"), "\(reader.text)")
            #expect(!reader.text.contains("failures 0"), "\(reader.text)")
            #expect(try home.setAside == [])
            let store = try await home.open()
            #expect(try await store.status().count == Self.count)
            #expect(try await store.status().warning == nil)
            await store.close()
        }
    }

    @Test func `a store that cannot be read is refused, says so and stays as it is`() async throws {
        try await StoreDirectory.with { root in
            let home = try await killedStore(in: root)
            let reader = try ChildProcess(TestEnvironment.builtProduct("store-writer"), [home.path, "dead-disk"])
            _ = await reader.exit()
            await eventually("its words have arrived") { reader.text.contains("refused") }
            #expect(reader.text.contains("refused inputOutput"), "\(reader.text)")
            #expect(reader.text.contains("left as it is"), "\(reader.text)")
            #expect(try home.setAside == [])
            let store = try await home.open()
            #expect(try await store.status().count == Self.count)
            await store.close()
        }
    }

    @Test func `a damaged store is repaired only when all of it can be read`() async throws {
        try await StoreDirectory.with { root in
            let home = try await killedStore(in: root)
            try home.overwritePage(30, with: Array(repeating: 0, count: 4096))
            let waits = Mutex<[Duration]>([])
            let failures = Mutex(3)
            var environment = StoreEnvironment()
            environment.wait = { wait in waits.withLock { $0.append(wait) } }
            environment.willRead = { path throws(StoreError) in
                guard path.hasSuffix("track.sqlite") else { return }
                let fails = failures.withLock { failures in
                    failures -= 1
                    return failures >= 0
                }
                if fails { throw StoreError(.inputOutput, "could not read") }
            }
            let store = try await home.open(in: environment)
            #expect(try await store.status().count >= Self.count - 60)
            #expect(waits.withLock { $0.count } == 3)
            await store.close()
        }
    }

    @Test func `a damaged store on a disk that cannot be read is not set aside`() async throws {
        try await StoreDirectory.with { root in
            let home = try await killedStore(in: root)
            try home.overwritePage(30, with: Array(repeating: 0, count: 4096))
            let before = try home.contents()
            var environment = StoreEnvironment()
            environment.wait = { _ in }
            environment.willRead = { path throws(StoreError) in
                if path.hasSuffix("track.sqlite") { throw StoreError(.inputOutput, "could not read") }
            }
            await #expect {
                try await home.open(in: environment)
            } throws: {
                ($0 as? StoreError)?.code == .inputOutput && "\($0)".contains("left as it is")
            }
            #expect(try home.setAside == [])
            #expect(try home.contents().first == before.first)
        }
    }

    @Test func `a ledger that cannot be read keeps the store from starting`() async throws {
        try await StoreDirectory.with { home in
            await (try home.open()).close()
            var environment = StoreEnvironment()
            environment.wait = { _ in }
            environment.willRead = { path throws(StoreError) in
                if path.hasSuffix("track.ledger") { throw StoreError(.inputOutput, "could not read \(path)") }
            }
            await #expect { try await home.open(in: environment) } throws: { "\($0)".contains("track.ledger") }
        }
    }

    @Test func `waiting for a readable disk takes real time`() async throws {
        try await StoreDirectory.with { root in
            let home = try await killedStore(in: root)
            try home.overwritePage(30, with: Array(repeating: 0, count: 4096))
            var environment = StoreEnvironment()
            environment.pauses = [.milliseconds(80)]
            environment.willRead = { path throws(StoreError) in
                if path.hasSuffix("track.sqlite") { throw StoreError(.inputOutput, "could not read") }
            }
            let begin = ContinuousClock.now
            await #expect(throws: StoreError.self) { try await home.open(in: environment) }
            #expect(ContinuousClock.now - begin >= .milliseconds(80))
        }
    }
}
