import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

@Suite struct DamageTests {
    /// The kinds of damage that storage does.
    enum Damage: String, CaseIterable {
        case badHeader, truncation, zeroedPage, bitFlips, emptyFile, garbage

        func inflict(on path: String, using random: inout SeededGenerator) throws {
            let url = URL(fileURLWithPath: path)
            var bytes = [UInt8](try Data(contentsOf: url))
            switch self {
            case .badHeader: for index in 0..<16 { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            case .truncation: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            case .zeroedPage:
                // Not the first: without it the file is no database, which is another kind of damage.
                let page = Int.random(in: 1..<bytes.count / 4096, using: &random) * 4096
                for index in page..<page + 4096 { bytes[index] = 0 }
            case .bitFlips:
                for _ in 0..<8 {
                    // The four bytes of the version may turn into that of a newer release, which is refused, not mended.
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    if !(60..<64).contains(index) { bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
                }
            case .emptyFile: bytes = []
            case .garbage: bytes = bytes.map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            try Data(bytes).write(to: url)
        }
    }

    private static let count = 2_000

    /// A store as a killed process leaves it: everything in the database, and no mark of an orderly end.
    private func killedStore(in root: StoreDirectory) async throws -> (home: StoreDirectory, records: [TrackRecord]) {
        let home = root.fresh("original")
        let first = try await home.open()
        let records = try await first.append(StoreMaterial.drafts(0..<Self.count), checkpoint: nil)
        await first.close()
        let second = try await home.open()
        let copy = root.fresh("killed")
        try home.copy(to: copy)
        await second.close()
        return (copy, records)
    }

    @Test(arguments: Damage.allCases)
    func `a damaged store opens, goes on counting and invents nothing`(_ damage: Damage) async throws {
        try await StoreDirectory.with { root in
            let (original, records) = try await killedStore(in: root)
            for seed in 0..<25 {
                var random = SeededGenerator(seed: UInt64(seed))
                let home = root.fresh("\(damage)-\(seed)")
                try original.copy(to: home)
                try damage.inflict(on: home.database, using: &random)
                let store = try await home.open()
                let stored = try await store.allRecords(page: 500)
                #expect(Set(stored).isSubset(of: records), "seed \(seed): invented records")
                if damage == .zeroedPage || damage == .bitFlips {
                    #expect(stored.count >= records.count * 3 / 4, "seed \(seed): only \(stored.count) were saved")
                }
                let next = try await store.append(StoreMaterial.drafts(9_000..<9_001), checkpoint: nil)
                #expect(next.first?.sequence.rawValue ?? 0 > Int64(Self.count), "seed \(seed): numbers began anew")
                #expect(try await store.allRecords(page: 500) == stored + next)
                if [.badHeader, .truncation, .garbage].contains(damage) { #expect(try home.setAside.count == 1) }
                let status = try await store.status()
                #expect(status.count == stored.count + 1)
                let isHurt = stored.count < records.count && damage != .emptyFile
                #expect(!isHurt || status.warning != nil, "seed \(seed): nothing was said")
                await store.close()
            }
        }
    }

    @Test func `a damaged store is set aside whole, byte for byte`() async throws {
        try await StoreDirectory.with { root in
            let (home, _) = try await killedStore(in: root)
            var random = SeededGenerator(seed: 7)
            try Damage.badHeader.inflict(on: home.database, using: &random)
            let before = try Data(contentsOf: URL(fileURLWithPath: home.database))
            let store = try await home.open()
            let aside = try #require(try home.setAside.first)
            #expect(aside.hasPrefix("track.sqlite.corrupt-"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: home.path + "/" + aside)) == before)
            #expect(try await store.status().warning?.contains(aside) == true)
            await store.close()
        }
    }

    @Test func `one bad row is set aside and the others are delivered`() async throws {
        try await StoreDirectory.with { home in
            let first = try await home.open()
            let records = try await first.append(StoreMaterial.drafts(0..<10), checkpoint: nil)
            await first.close()
            let db = try Database(path: home.database)
            try db.immediateTransaction { db in
                try db.execute(sql: "UPDATE record SET time = time + 1 WHERE seq = 3")
                try db.execute(sql: "UPDATE record SET payload = x'00' WHERE seq = 4")
                try db.execute(sql: "UPDATE record SET uid = (SELECT uid FROM record WHERE seq = 1) WHERE seq = 9")
            }
            try db.close()
            let store = try await home.open()
            let good = records.filter { ![3, 4, 9].contains($0.sequence.rawValue) }
            #expect(try await store.nextBatch(for: "a", limit: 20)?.records == good)
            #expect(try await store.records(after: .zero, limit: 3) == Array(good.prefix(3)))
            let status = try await store.status()
            #expect(status.count == 7)
            expectMessage(status.warning)
            #expect(try await store.backlog(of: "a").count == 7)
            await store.close()
        }
    }

    @Test func `damage that shows itself at work is mended at once`() async throws {
        try await StoreDirectory.with { home in
            let first = try await home.open()
            let records = try await first.append(StoreMaterial.drafts(0..<Self.count), checkpoint: nil)
            await first.close()
            // The store ends in order, so the next start does not look for this: page 40 is somewhere among the records.
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: home.database))
            try handle.seek(toOffset: 40 * 4096)
            try handle.write(contentsOf: Data(repeating: 0, count: 4096))
            try handle.close()
            let store = try await home.open()
            let stored = try await store.allRecords(page: 100)
            #expect(Set(stored).isSubset(of: records))
            #expect(stored.count >= Self.count * 9 / 10)
            let next = try await store.append(StoreMaterial.drafts(9_000..<9_001), checkpoint: nil)
            #expect(next.first?.sequence.rawValue ?? 0 > Int64(Self.count))
            #expect(try await store.status().warning?.contains("set aside") == true)
            await store.close()
        }
    }

    @Test func `a store whose database was removed goes on counting`() async throws {
        try await StoreDirectory.with { home in
            let first = try await home.open()
            _ = try await first.append(StoreMaterial.drafts(0..<5), checkpoint: nil)
            await first.close()
            try FileManager.default.removeItem(atPath: home.database)
            let store = try await home.open()
            let next = try await store.append(StoreMaterial.drafts(5..<6), checkpoint: nil)
            #expect(next.map(\.sequence.rawValue) == [6])
            #expect(try await store.status().count == 1)
            await store.close()
        }
    }

    @Test func `a log left without its database is kept`() async throws {
        try await StoreDirectory.with { root in
            let home = root.fresh("home")
            try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
            try Data(repeating: 7, count: 100).write(to: URL(fileURLWithPath: home.database + "-wal"))
            await (try home.open()).close()
            #expect(try home.names.contains { $0.contains(".corrupt-") && $0.hasSuffix("-wal") })
        }
    }
}
