import Foundation
import Logging
import Synchronization
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// What a repair leaves when it ends at any of its steps.
@Suite struct RepairTests {
    private static let count = 3_000
    private static let settled: Int64 = 1_500

    /// A store of a killed process with a zeroed page, a cursor and a dead letter.
    private func damagedStore(in root: StoreDirectory) async throws -> StoreDirectory {
        let home = root.fresh("original")
        let first = try await home.open()
        let records = try await first.append(StoreMaterial.drafts(0..<Self.count), checkpoint: nil)
        let settlement = Settlement(
            origin: .queue, records: Array(records.prefix(Int(Self.settled))), refused: [records[7].id: "no"],
            time: StoreMaterial.start)
        try await first.settle(settlement, for: "a")
        await first.close()
        let second = try await home.open()
        _ = try await second.append(StoreMaterial.drafts(Self.count..<Self.count + 5), checkpoint: nil)
        let copy = root.fresh("damaged")
        try home.copy(to: copy)
        await second.close()
        try copy.overwritePage(60, with: Array(repeating: 0, count: 4096))
        return copy
    }

    private func expectWhole(_ home: StoreDirectory, _ comment: Comment) async throws {
        let store = try await home.open()
        let stored = try await store.allRecords(page: 1_000)
        #expect(stored.count >= Self.count - 60, comment)
        #expect(stored.last?.draft == StoreMaterial.draft(Self.count + 4), comment)
        let next = try await store.append(StoreMaterial.drafts(9_000..<9_001), checkpoint: nil)
        #expect(next.first?.sequence.rawValue ?? 0 > Int64(Self.count) + 5, comment)
        let batch = try await store.nextBatch(for: "a", limit: 1)
        #expect(batch?.records.first?.sequence.rawValue == Self.settled + 1, comment)
        #expect(try await store.deadLetters(of: "a").map(\.record.draft) == [StoreMaterial.draft(7)], comment)
        #expect(try home.names.filter { $0.contains("salvage") } == [], comment)
        #expect(try home.setAside.count == 1, comment)
        #expect(try home.names.filter { $0.contains(".corrupt-") && $0.hasSuffix("-wal") }.count <= 1, comment)
        await store.close()
    }

    /// What lies on the disk after each step is what a kill at that moment would leave.
    @Test func `a repair that is killed after any of its steps is made again and loses nothing`() async throws {
        try await StoreDirectory.with { root in
            let home = try await damagedStore(in: root)
            let steps = Mutex<[StoreEnvironment.Step]>([])
            var environment = StoreEnvironment()
            environment.didTake = { step throws(StoreError) in
                let number = steps.withLock { steps in
                    steps.append(step)
                    return steps.count
                }
                do {
                    try FileManager.default.copyItem(atPath: home.path, toPath: root.path + "/after-\(number)")
                } catch {
                    throw StoreError(.inputOutput, "\(error)")
                }
            }
            await (try home.open(in: environment)).close()
            let taken = steps.withLock { $0 }
            #expect(taken.first == .beganCopy)
            #expect(taken.contains { if case .copiedRows(2_000...) = $0 { true } else { false } })
            #expect(taken.contains(.setAside("")))
            #expect(taken.suffix(1) == [.replacedDatabase])
            for (index, step) in taken.enumerated() {
                try await expectWhole(root.fresh("after-\(index + 1)"), "killed after step \(index + 1), \(step)")
            }
        }
    }

    @Test func `a repair that fails at any of its steps is made again and loses nothing`() async throws {
        try await StoreDirectory.with { root in
            let original = try await damagedStore(in: root)
            var failing = 1
            while failing < 40 {
                let home = root.fresh("fails-\(failing)")
                try original.copy(to: home)
                let left = Mutex(failing)
                var environment = StoreEnvironment()
                environment.didTake = { _ throws(StoreError) in
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { throw StoreError(.inputOutput, "the step fails") }
                }
                var hasFailed = false
                do {
                    await (try home.open(in: environment)).close()
                } catch {
                    hasFailed = true
                }
                try await expectWhole(home, "failed at step \(failing)")
                if !hasFailed { break }
                failing += 1
            }
            #expect(failing > 6)
        }
    }

    @Test func `a disk that is full during a repair is named, and nothing has changed`() async throws {
        try await StoreDirectory.with { root in
            let home = try await damagedStore(in: root)
            var environment = StoreEnvironment()
            environment.didTake = { step throws(StoreError) in
                if case .copiedRows = step { throw StoreError(.full, "no space left on device") }
            }
            await #expect {
                try await home.open(in: environment)
            } throws: {
                ($0 as? StoreError)?.code == .full && "\($0)".contains("repair")
            }
            #expect(try home.setAside == [])
            #expect(try home.names.filter { $0.contains("salvage") } == [])
            try await expectWhole(home, "after the disk was full")
        }
    }

    @Test func `two damaged databases are kept, the oldest goes first, and all go before the quota is exceeded`()
        async throws
    {
        try await StoreDirectory.with { home in
            var seen: [[String]] = []
            for round in 0..<4 {
                let store = try await home.open()
                _ = try await store.append(StoreMaterial.drafts(round * 500..<round * 500 + 500), checkpoint: nil)
                await store.close()
                try home.overwritePage(0, with: Array(repeating: 1, count: 4096))
                await (try home.open()).close()
                seen.append(try home.setAside)
            }
            #expect(seen.map(\.count) == [1, 2, 2, 2])
            #expect(seen[2].first == seen[1].last)
            let store = try await home.open()
            #expect(try await store.status().count == 2_000)
            try await store.configure(RetentionConfiguration(maxBytes: 1_048_576), sinks: ["a"])
            #expect(try home.setAside.count == 2)
            try await store.configure(RetentionConfiguration(maxBytes: 70_000), sinks: ["a"])
            #expect(try home.setAside == [])
            await store.close()
        }
    }
}
