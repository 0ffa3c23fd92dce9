import Foundation
import SQLiteAccess
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// The next record's number is above everything that a store knows of.
@Suite struct NewestSequenceTests {
    enum Knowledge: String, CaseIterable {
        case cursor, ledger, deadLetter, milestone

        func plant(in home: StoreDirectory) throws {
            if self == .ledger {
                try home.write(StoreLedger(ceiling: 50_000, countAtClose: nil).bytes, to: "track.ledger")
                return
            }
            try? FileManager.default.removeItem(atPath: home.path + "/track.ledger")  // it need not be there
            let db = try Database(path: home.database)
            try db.immediateTransaction { db in
                switch self {
                case .cursor:
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO sink (name, settled, crc) VALUES ('a', 50000, ?)",
                        arguments: [Row.check("a", 50_000)])
                case .deadLetter:
                    try db.execute(
                        sql: """
                            INSERT INTO dead (sink, reason, refused, requeued, seq, uid, time, payload, crc)
                            SELECT 'a', 'no', 0, 0, 50000, uid, time, payload, ? FROM record LIMIT 1
                            """, arguments: [try Row.check(ofFirstAs: 50_000, db)])
                case .milestone: try db.execute(sql: "INSERT INTO milestone (upto, time) VALUES (50000, 0)")
                case .ledger: break
                }
            }
            try db.close()
        }
    }

    @Test(arguments: [.max, 1 << 48, -1] as [Int64])
    func `an impossible counter of SQLite's is passed over, and numbers go on behind the records`(
        _ counter: Int64
    ) async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            let records = try await store.append(StoreMaterial.drafts(0..<5), checkpoint: nil)
            await store.close()
            let db = try Database(path: home.database)
            try db.immediateTransaction { db in
                try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'record'")
                try db.execute(
                    sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('record', ?)", arguments: [counter])
            }
            try db.close()
            let again = try await home.open()
            let next = try await again.append(StoreMaterial.drafts(5..<6), checkpoint: nil)
            #expect(try await again.allRecords(page: 10) == records + next)
            #expect(try #require(next.first).sequence.rawValue < 100_000)
            await again.close()
        }
    }

    /// The checks that the store's rows carry.
    private enum Row {
        static func check(_ name: String, _ settled: Int64) -> Int64 {
            var check = CRC32()
            check.combine(name.utf8)
            check.combine(settled)
            return Int64(check.value)
        }

        /// The check of the first record under another number.
        static func check(ofFirstAs sequence: Int64, _ db: Database) throws -> Int64 {
            let row = try db.rows(sql: "SELECT uid, time, payload FROM record ORDER BY seq LIMIT 1").next()
            var check = CRC32()
            check.combine(sequence)
            check.combine(row?.blob(0) ?? [])
            check.combine(row?.integer(1) ?? 0)
            check.combine(row?.blob(2) ?? [])
            return Int64(check.value)
        }
    }

    private func makeStore(_ home: StoreDirectory) async throws {
        let store = try await home.open()
        _ = try await store.append(StoreMaterial.drafts(0..<2_000), checkpoint: nil)
        await store.close()
    }

    @Test(arguments: Knowledge.allCases, [false, true])
    func `numbers go on above what is known`(_ knowledge: Knowledge, _ isDamaged: Bool) async throws {
        try await StoreDirectory.with { home in
            // Milestones have no check, so those of a damaged database are not believed.
            if knowledge == .milestone && isDamaged { return }
            try await makeStore(home)
            try knowledge.plant(in: home)
            if isDamaged { try home.overwritePage(20, with: Array(repeating: 0, count: 4096)) }
            let store = try await home.open()
            let next = try await store.append(StoreMaterial.drafts(5_000..<5_001), checkpoint: nil)
            #expect(next.first?.sequence.rawValue ?? 0 > 50_000)
            if knowledge == .cursor { #expect(try await store.nextBatch(for: "a", limit: 5)?.records == next) }
            await store.close()
            let again = try await home.open()
            #expect(try await again.allRecords(page: 1_000).last == next.last)
            #expect(try await again.status().count >= 1_900)
            await again.close()
        }
    }

    @Test(arguments: [Int64.max, .max - 3, 1 << 60, -4, .min])
    func `a record or cursor with an impossible number is damage, and no arithmetic overflows`(_ number: Int64)
        async throws
    {
        try await StoreDirectory.with { home in
            try await makeStore(home)
            let db = try Database(path: home.database)
            try db.immediateTransaction { db in
                try db.execute(
                    sql: "INSERT INTO record SELECT ?, uid, time, payload, ? FROM record ORDER BY seq LIMIT 1",
                    arguments: [number, try Row.check(ofFirstAs: number, db)])
                try db.execute(
                    sql: "INSERT INTO sink (name, settled, crc) VALUES ('a', ?, ?)",
                    arguments: [number, Row.check("a", number)])
                try db.execute(
                    sql: "INSERT OR REPLACE INTO meta (key, value) VALUES ('damaged', ?), ('dropped', ?)",
                    arguments: [number, number])
            }
            try db.close()
            let store = try await home.open()
            let next = try await store.append(StoreMaterial.drafts(5_000..<5_003), checkpoint: nil)
            #expect(next.first?.sequence.rawValue ?? 0 > 2_000)
            #expect(next.last?.sequence.rawValue ?? .max < 100_000)
            #expect(try await store.allRecords(page: 500).count == 2_003)
            #expect(try await store.backlog(of: "a").count == 2_003)
            await store.close()
        }
    }

    @Test(arguments: [Int64.max, 1 << 62])
    func `a ledger with an impossible ceiling is no ledger`(_ ceiling: Int64) {
        #expect(StoreLedger(bytes: StoreLedger(ceiling: ceiling, countAtClose: 1).bytes) == nil)
    }

    @Test func `a crash leaves a gap up to the reserved numbers, which counts as no loss`() async throws {
        try await StoreDirectory.with { root in
            let home = root.fresh("home")
            let first = try await home.open()
            _ = try await first.append(StoreMaterial.drafts(0..<10), checkpoint: nil)
            let killed = root.fresh("killed")
            try home.copy(to: killed)
            await first.close()
            let store = try await killed.open()
            #expect(try await store.status().lastSequence.rawValue == 10)
            let next = try await store.append(StoreMaterial.drafts(10..<12), checkpoint: nil)
            #expect(next.map(\.sequence.rawValue) == [StoreLedger.step + 1, StoreLedger.step + 2])
            #expect(try await store.nextBatch(for: "a", limit: 50)?.records.count == 12)
            #expect(try await store.status().warning == nil)
            await store.close()
        }
    }
}
