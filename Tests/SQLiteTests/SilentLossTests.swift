import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// What is missing is counted and said.
@Suite struct SilentLossTests {
    private static let count = 3_000

    private func makeStore(_ home: StoreDirectory) async throws -> [TrackRecord] {
        let store = try await home.open()
        let records = try await store.append(StoreMaterial.drafts(0..<Self.count), checkpoint: nil)
        await store.close()
        return records
    }

    /// Delivers everything and returns it.
    private func drain(_ store: SQLiteFixStore) async throws -> [TrackRecord] {
        var delivered: [TrackRecord] = []
        while let batch = try await store.nextBatch(for: "a", limit: 100) {
            delivered += batch.records
            try await store.settle(Settlement(origin: batch.origin, records: batch.records, time: .now()), for: "a")
        }
        return delivered
    }

    @Test(.enabled(if: TestEnvironment.isOptimised), arguments: 0..<8)
    func `two swapped pages after an orderly end cost no record`(_ seed: UInt64) async throws {
        try await StoreDirectory.with { home in
            let records = try await makeStore(home)
            var random = SeededGenerator(seed: seed)
            let pages = try home.bytes(of: "track.sqlite").count / 4096
            let leaves = try (1..<pages).filter { try home.page($0).first == 0x0d }
            let first = leaves[Int.random(in: leaves.indices.dropFirst(3), using: &random)]
            let second = leaves[Int.random(in: leaves.indices.dropFirst(3), using: &random)]
            let swapped = (try home.page(first), try home.page(second))
            try home.overwritePage(first, with: swapped.1)
            try home.overwritePage(second, with: swapped.0)
            let store = try await home.open()
            #expect(Set(try await drain(store)) == Set(records), "pages \(first) and \(second)")
            await store.close()
        }
    }

    @Test func `records that somebody removed are counted once and said`() async throws {
        try await StoreDirectory.with { home in
            let records = try await makeStore(home)
            try home.execute("DELETE FROM record WHERE seq BETWEEN 150 AND 159 OR seq BETWEEN 301 AND 305")
            for sink: SinkID in ["a", "b"] {
                let store = try await home.open()
                while let batch = try await store.nextBatch(for: sink, limit: 100) {
                    let settlement = Settlement(origin: batch.origin, records: batch.records, time: .now())
                    try await store.settle(settlement, for: sink)
                }
                expectMessage(try await store.status().warning)
                await store.close()
            }
            #expect(records.count == Self.count)
        }
    }

    @Test func `a store that was cleared or pruned has lost nothing`() async throws {
        try await StoreDirectory.with { home in
            _ = try await makeStore(home)
            for round in 0..<3 {
                let store = try await home.open()
                try await store.configure(RetentionConfiguration(maxRecords: round == 2 ? 90 : 0), sinks: ["a"])
                _ = try await store.append(StoreMaterial.drafts(5_000..<5_200), checkpoint: nil)
                if round == 0 { _ = try await drain(store) }
                if round == 1 { try await store.clear() }
                try await store.prune(now: StoreMaterial.start)
                _ = try await store.append(StoreMaterial.drafts(6_000..<6_050), checkpoint: nil)
                _ = try await drain(store)
                #expect(try await store.status().warning == nil, "round \(round)")
                await store.close()
            }
        }
    }

    /// Earlier releases reserved numbers up to any ceiling, not up to a multiple of the step.
    @Test func `numbers that an earlier release reserved and a crash left unused count as no loss`() async throws {
        try await StoreDirectory.with { root in
            let home = root.fresh("home")
            let store = try await home.open()
            let records = try await store.append(StoreMaterial.drafts(0..<5), checkpoint: nil)
            let killed = root.fresh("killed")
            try home.copy(to: killed)
            await store.close()
            try killed.write(StoreLedger(ceiling: 7_777, countAtClose: nil).bytes, to: "track.ledger")
            let again = try await killed.open()
            let next = try await again.append(StoreMaterial.drafts(5..<8), checkpoint: nil)
            #expect(next.first?.sequence.rawValue ?? 0 > 7_777)
            #expect(try await drain(again) == records + next)
            #expect(try await again.status().warning == nil)
            await again.close()
        }
    }

    @Test func `a store that was closed with records and is empty says so`() async throws {
        try await StoreDirectory.with { root in
            for isRemoved in [true, false] {
                let home = root.fresh("removed-\(isRemoved)")
                _ = try await makeStore(home)
                if isRemoved {
                    try FileManager.default.removeItem(atPath: home.database)
                } else {
                    try home.execute("DELETE FROM record")
                }
                let store = try await home.open()
                let status = try await store.status()
                #expect(status.warning?.contains("closed with \(Self.count) record(s) and has none") == true)
                #expect(status.count == 0)
                await store.close()
            }
        }
    }

    @Test func `a repair that finds nothing says so`() async throws {
        try await StoreDirectory.with { home in
            _ = try await makeStore(home)
            try home.write(Array(repeating: 0xaa, count: 100_000), to: "track.sqlite")
            let store = try await home.open()
            #expect(try await store.status().warning?.contains("no record could be taken over") == true)
            await store.close()
        }
    }

    @Test func `a repair counts what it could not read`() async throws {
        try await StoreDirectory.with { home in
            let records = try await makeStore(home)
            let leaf = try #require(try (25..<60).first { try home.page($0).first == 0x0d })
            try home.overwritePage(leaf, with: Array(repeating: 0, count: 4096))
            let store = try await home.open()
            let delivered = try await drain(store)
            let missing = records.count - delivered.count
            #expect(missing > 0)
            #expect(try await store.status().warning?.contains("; \(missing) record(s) lost to damage") == true)
            await store.close()
        }
    }

    /// SQLite passes over the rest of a log behind a damaged frame without a word.
    @Test(arguments: 0..<6)
    func `a bit flipped in the log costs at most the rows on its page, and that is said`(_ seed: UInt64) async throws {
        try await StoreDirectory.with { root in
            let home = root.fresh("home")
            let store = try await home.open()
            var records: [TrackRecord] = []
            for start in stride(from: 0, to: 600, by: 10) {
                records += try await store.append(StoreMaterial.drafts(start..<start + 10), checkpoint: nil)
            }
            let killed = root.fresh("killed")
            try home.copy(to: killed)
            await store.close()
            var random = SeededGenerator(seed: seed)
            let length = try killed.bytes(of: "track.sqlite-wal").count
            try killed.flipBit(Int.random(in: 0..<length * 8, using: &random), of: "track.sqlite-wal")
            let again = try await killed.open()
            let kept = try await again.allRecords(page: 500)
            #expect(Set(kept).isSubset(of: records))
            // A page has room for about fifty of these rows.
            let missing = records.count - kept.count
            #expect(missing < 60)
            if missing > 0 {
                _ = try await drain(again)
                #expect(try await again.status().warning?.contains("\(missing) record(s) lost to damage") == true)
            }
            await again.close()
        }
    }

    @Test(.enabled(if: TestEnvironment.isOptimised), arguments: [0, 1])
    func `no single bit that flips loses a record without a word`(_ kind: Int) async throws {
        try await StoreDirectory.with { root in
            let original = root.fresh("original")
            let store = try await original.open()
            let records = try await store.append(StoreMaterial.drafts(0..<700), checkpoint: nil)
            if kind == 1 { await store.close() }
            let flips = ProcessInfo.processInfo.environment["TRACK_ENGINE_BIT_FLIPS"].flatMap(UInt64.init) ?? 60
            for seed in 0..<flips {
                var random = SeededGenerator(seed: seed * 2 + UInt64(kind))
                let home = root.fresh("flip-\(seed)")
                try original.copy(to: home)
                let length = try home.bytes(of: "track.sqlite").count
                let bit = Int.random(in: 0..<length * 8, using: &random)
                // The version may become that of a newer release, which is refused.
                if (60..<64).contains(bit / 8) { continue }
                try home.flipBit(bit, of: "track.sqlite")
                do {
                    let store = try await home.open()
                    let delivered = try await drain(store)
                    let warning = try await store.status().warning
                    #expect(delivered.count == records.count || warning != nil, "bit \(bit), \(delivered.count)")
                    #expect(Set(delivered).isSubset(of: records), "bit \(bit)")
                    await store.close()
                } catch {
                    Issue.record(error, "bit \(bit)")
                }
                try FileManager.default.removeItem(atPath: home.path)
            }
            await store.close()
        }
    }
}
