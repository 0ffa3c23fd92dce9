import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// How much comes back of databases that SQLite itself cannot read.
@Suite struct PageSalvageTests {
    private static let count = 5_000

    private struct Original {
        let home: StoreDirectory
        let records: [TrackRecord]
        let pages: Int
    }

    /// A store as a killed process leaves it; part of the records is in its log.
    private func original(in root: StoreDirectory) async throws -> Original {
        let home = root.fresh("original")
        let store = try await home.open()
        var records = try await store.append(StoreMaterial.drafts(0..<Self.count - 40), checkpoint: nil)
        records += try await store.append(
            StoreMaterial.drafts(Self.count - 40..<Self.count), checkpoint: StoreMaterial.checkpoint(3))
        let copy = root.fresh("killed")
        try home.copy(to: copy)
        await store.close()
        let size = try FileManager.default.attributesOfItem(atPath: copy.database)[.size] as? NSNumber
        return Original(home: copy, records: records, pages: (size?.intValue ?? 0) / 4096)
    }

    /// Damages a copy of the original and returns how much of it comes back, as a part of one.
    private func part(
        of original: Original, in root: StoreDirectory, _ name: String, _ damage: (StoreDirectory) throws -> Void
    ) async throws -> Double {
        let home = root.fresh(name)
        try original.home.copy(to: home)
        try damage(home)
        let store = try await home.open()
        let stored = try await store.allRecords(page: 1_000)
        #expect(Set(stored).isSubset(of: original.records), "\(name): invented records")
        let next = try await store.append(StoreMaterial.drafts(9_000..<9_001), checkpoint: nil)
        #expect(next.first?.sequence.rawValue ?? 0 > Int64(Self.count), "\(name): numbers began anew")
        await store.close()
        try FileManager.default.removeItem(atPath: home.path)
        return Double(stored.count) / Double(Self.count)
    }

    /// The log, which is whole, has all pages here but those that were moved into the database.
    @Test(.enabled(if: TestEnvironment.isOptimised)) func `a truncated database gives back what is on its whole pages`()
        async throws
    {
        try await StoreDirectory.with { root in
            let original = try await original(in: root)
            for seed in 0..<12 {
                var random = SeededGenerator(seed: UInt64(seed))
                let length = Int.random(in: 0..<original.pages * 4096, using: &random)
                let part = try await part(of: original, in: root, "truncated-\(seed)") { home in
                    try home.truncate(to: length)
                }
                let whole = Double(length / 4096 - 3) / Double(original.pages)
                #expect(part >= whole * 0.95, "\(length) bytes are left: \(part)")
            }
        }
    }

    enum Header: String, CaseIterable { case zeroed, random, oneByte, otherPageSize, pageOneRandom, pageOneZeroed }

    @Test(arguments: Header.allCases)
    func `damage of the header or of the first page costs no record`(_ header: Header) async throws {
        try await StoreDirectory.with { root in
            let original = try await original(in: root)
            for seed in 0..<4 {
                var random = SeededGenerator(seed: UInt64(seed))
                let part = try await part(of: original, in: root, "\(header)-\(seed)") { home in
                    var page = try home.page(0)
                    func randomise(_ range: Range<Int>) {
                        for index in range { page[index] = UInt8.random(in: 0...255, using: &random) }
                    }
                    switch header {
                    case .zeroed: page.replaceSubrange(0..<100, with: repeatElement(0, count: 100))
                    case .random: randomise(0..<60)
                    case .oneByte: page[[0, 18, 19, 21, 44, 47, 100][seed % 7]] ^= 0x55
                    case .otherPageSize:
                        page.replaceSubrange(16..<18, with: [[2, 0], [32, 0], [0, 1], [16, 1]][seed % 4])
                    case .pageOneRandom: randomise(0..<4096)
                    case .pageOneZeroed: page = Array(repeating: 0, count: 4096)
                    }
                    // Bytes 60 to 63 are the version, which may become a newer release's.
                    page.replaceSubrange(60..<64, with: [0, 0, 0, 2])
                    try home.overwritePage(0, with: page)
                }
                #expect(part >= 0.99, "\(header), seed \(seed): \(part)")
            }
        }
    }

    @Test func `one zeroed page costs at most the records on it`() async throws {
        try await StoreDirectory.with { root in
            let original = try await original(in: root)
            let perPage = Double(60) / Double(Self.count)
            for page in stride(from: 1, to: original.pages, by: max(1, original.pages / 25)) {
                let part = try await part(of: original, in: root, "zeroed-\(page)") { home in
                    try home.overwritePage(page, with: Array(repeating: 0, count: 4096))
                }
                #expect(part >= 1 - perPage, "page \(page): \(part)")
            }
        }
    }

    @Test func `a database without its log gives back what it has, a log without its database too`() async throws {
        try await StoreDirectory.with { root in
            let original = try await original(in: root)
            let logOnly = try await part(of: original, in: root, "log") { home in
                try FileManager.default.removeItem(atPath: home.database)
            }
            let databaseOnly = try await part(of: original, in: root, "database") { home in
                try FileManager.default.removeItem(atPath: home.database + "-wal")
            }
            #expect(logOnly > 0)
            #expect(logOnly + databaseOnly >= 0.95)
        }
    }

    @Test func `sinks, checkpoints, odometers and counters come back, and long rows`() async throws {
        try await StoreDirectory.with { home in
            let long = SourceID(rawValue: String(repeating: "l", count: 9_000))
            let store = try await home.open()
            let records = try await store.append(
                StoreMaterial.drafts(0..<50) + [StoreMaterial.draft(50, source: long)],
                checkpoint: StoreMaterial.checkpoint(3))
            let refused = [records[1].id: String(repeating: "reason ", count: 1_000), records[2].id: "no"]
            for end in [5, 10, 15] {
                let settled = Array(records[end - 5..<end])
                try await store.settle(
                    Settlement(origin: .queue, records: settled, refused: refused, time: .now()), for: "a")
            }
            _ = try await store.requeueDeadLetters(DeadLetterSelection(record: records[2].id))
            let letters = try await store.deadLetters(of: nil)
            let odometers = try await store.odometers()
            #expect(letters.count == 1)
            await store.close()
            try home.overwritePage(0, with: Array(repeating: 0, count: 4096))
            let again = try await home.open()
            #expect(try await again.allRecords() == records)
            #expect(try await again.checkpoints() == [StoreMaterial.checkpoint(3)])
            #expect(try await again.odometers() == odometers)
            #expect(try await again.deadLetters(of: nil) == letters)
            #expect(try await again.nextBatch(for: "a", limit: 9)?.records == [records[2]])
            #expect(try await again.backlog(of: "a").count == 37)
            await again.close()
        }
    }

    /// Deleted rows stay on pages that are free.
    @Test func `what was settled and removed does not come back from free pages`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            try await store.configure(RetentionConfiguration(), sinks: ["a"])
            let records = try await store.append(StoreMaterial.drafts(0..<4_000), checkpoint: nil)
            let settlement = Settlement(
                origin: .queue, records: Array(records.prefix(3_000)), time: StoreMaterial.start)
            try await store.settle(settlement, for: "a")
            try await store.prune(now: StoreMaterial.start)
            await store.close()
            try home.overwritePage(0, with: Array(repeating: 0, count: 4096))
            let again = try await home.open()
            #expect(try await again.allRecords(page: 1_000) == Array(records.suffix(1_000)))
            #expect(try await again.status().warning?.contains("lost") == false)
            await again.close()
        }
    }

    /// Bytes of pages changed at random, most often where the file format counts and points.
    @Test(.enabled(if: TestEnvironment.isOptimised)) func `no bytes end the program, and none invent a record`()
        async throws
    {
        try await StoreDirectory.with { root in
            let original = try await original(in: root)
            for seed in 0..<40 {
                var random = SeededGenerator(seed: UInt64(1_000 + seed))
                func pick(_ numbers: [Int]) -> Int { numbers[Int.random(in: numbers.indices, using: &random)] }
                _ = try await part(of: original, in: root, "fuzz-\(seed)") { home in
                    for suffix in ["", "-wal"] {
                        var bytes = try home.bytes(of: "track.sqlite" + suffix)
                        for _ in 0..<Int.random(in: 1...400, using: &random) {
                            let page = Int.random(in: 0..<max(1, bytes.count / 4096), using: &random) * 4096
                            let offset = Int.random(in: 0..<pick([16, 128, 4096]), using: &random)
                            let index = page + offset
                            if !(56..<68).contains(index), index < bytes.count {
                                bytes[index] = UInt8(pick([0, 1, 13, 44, 127, 128, 255]))
                            }
                        }
                        try home.write(bytes, to: "track.sqlite" + suffix)
                    }
                }
            }
        }
    }
}
