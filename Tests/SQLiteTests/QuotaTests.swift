import Foundation
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

@Suite struct QuotaTests {
    @Test(arguments: [1, 40, 700])
    func `a full quota drops the oldest, counts them and goes on`(_ perAppend: Int) async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            let quota: Int64 = 1_048_576
            try await store.configure(RetentionConfiguration(maxBytes: quota), sinks: ["a"])
            let appends = 14_000 / max(perAppend, 10)
            var last = 0
            for _ in 0..<appends {
                let drafts = StoreMaterial.drafts(last..<last + max(perAppend, 10))
                _ = try await store.append(drafts, checkpoint: nil)
                last += max(perAppend, 10)
                #expect(try await store.status().bytes <= quota)
            }
            let status = try await store.status()
            #expect(status.dropped > 0)
            #expect(Int64(status.count) + status.dropped == Int64(last))
            #expect(status.count > 2_000)
            #expect(try await store.allRecords().last?.draft == StoreMaterial.draft(last - 1))
            await store.close()
        }
    }

    @Test func `an append that is larger than the quota is refused and hurts no other`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            try await store.configure(RetentionConfiguration(maxBytes: 1_048_576), sinks: [])
            let kept = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
            #expect(kept.count == 3)
            await #expect {
                try await store.append(StoreMaterial.drafts(0..<20_000), checkpoint: nil)
            } throws: {
                ($0 as? StoreError)?.code == .full
            }
            #expect(try await store.status().warning?.contains("full") == true)
            let next = try await store.append(StoreMaterial.drafts(3..<4), checkpoint: nil)
            #expect(try await store.status().warning == nil)
            #expect(try await store.allRecords().last == next.last)
            await store.close()
        }
    }

    /// What is put back while its receiver is away must not keep new records out for ever.
    @Test func `dead letters that were put back leave room for new records, the oldest first`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            try await store.configure(RetentionConfiguration(maxDaysToPersist: 0, maxBytes: 262_144), sinks: ["a"])
            for start in stride(from: 0, to: 2_400, by: 200) {
                let records = try await store.append(StoreMaterial.drafts(start..<start + 200), checkpoint: nil)
                let refused = Dictionary(uniqueKeysWithValues: records.map { ($0.id, "no") })
                try await store.settle(
                    Settlement(origin: .queue, records: records, refused: refused, time: StoreMaterial.start), for: "a")
                _ = try await store.requeueDeadLetters(DeadLetterSelection())
            }
            let new = try await store.append(StoreMaterial.drafts(2_400..<2_787), checkpoint: nil)
            let waiting = try await store.backlog(of: "a").count
            #expect(new.count == 387)
            #expect(try await store.allRecords().last == new.last)
            #expect(try await store.status().dropped == Int64(2_787 - waiting))
            let batch = try await store.nextBatch(for: "a", limit: 2_000)
            #expect(batch?.records.first?.sequence.rawValue == Int64(2_787 - waiting + 1))
            await store.close()
        }
    }

    /// What every sink has settled is only kept for looking at; what was put back has still to be delivered.
    @Test func `delivered records go before dead letters that were put back`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            try await store.configure(
                RetentionConfiguration(maxDaysToPersist: 0, maxBytes: 524_288, keepSyncedDays: 30), sinks: ["a"])
            let first = try await store.append(StoreMaterial.drafts(0..<600), checkpoint: nil)
            let refused = Dictionary(uniqueKeysWithValues: first[0..<100].map { ($0.id, "no") })
            try await store.settle(
                Settlement(origin: .queue, records: first, refused: refused, time: StoreMaterial.start), for: "a")
            #expect(try await store.requeueDeadLetters(DeadLetterSelection()) == 100)
            var last = 600
            while try await store.status().count == last {
                _ = try await store.append(StoreMaterial.drafts(last..<last + 20), checkpoint: nil)
                last += 20
            }
            #expect(try await store.status().dropped == 0)
            #expect(try await store.nextBatch(for: "a", limit: 500)?.records == Array(first[0..<100]))
            while try await store.status().dropped == 0 {
                _ = try await store.append(StoreMaterial.drafts(last..<last + 20), checkpoint: nil)
                last += 20
            }
            #expect(try await store.allRecords().first?.sequence.rawValue ?? 0 > 600)
            await store.close()
        }
    }

    @Test func `a store that has grown beyond a new quota is cut to it`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            for start in stride(from: 0, to: 20_000, by: 1_000) {
                _ = try await store.append(StoreMaterial.drafts(start..<start + 1_000), checkpoint: nil)
            }
            #expect(try await store.status().bytes > 2_000_000)
            try await store.configure(RetentionConfiguration(maxDaysToPersist: 0, maxBytes: 1_048_576), sinks: ["a"])
            let report = try await store.prune(now: StoreMaterial.start)
            #expect(report.dropped > 1_000)
            for start in stride(from: 20_000, to: 22_000, by: 10) {
                _ = try await store.append(StoreMaterial.drafts(start..<start + 10), checkpoint: nil)
            }
            await store.close()
            let size = try FileManager.default.attributesOfItem(atPath: home.database)[.size] as? NSNumber
            #expect(size?.int64Value ?? .max <= 1_048_576)
        }
    }

    @Test func `a store gives space back after an outage`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            try await store.configure(RetentionConfiguration(), sinks: ["a"])
            var records: [TrackRecord] = []
            for start in stride(from: 0, to: 20_000, by: 1_000) {
                records += try await store.append(StoreMaterial.drafts(start..<start + 1_000), checkpoint: nil)
            }
            try await store.settle(Settlement(origin: .queue, records: records, time: StoreMaterial.start), for: "a")
            #expect(try await store.prune(now: StoreMaterial.start).settled == 20_000)
            await store.close()
            let size = try FileManager.default.attributesOfItem(atPath: home.database)[.size] as? NSNumber
            #expect(size?.int64Value ?? .max < 1_600_000)
        }
    }

    @Test func `dead letters are bounded by the number of records`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            try await store.configure(RetentionConfiguration(maxRecords: 10), sinks: ["a"])
            for start in stride(from: 0, to: 40, by: 10) {
                let records = try await store.append(StoreMaterial.drafts(start..<start + 10), checkpoint: nil)
                let refused = Dictionary(uniqueKeysWithValues: records.map { ($0.id, "no") })
                try await store.settle(
                    Settlement(origin: .queue, records: records, refused: refused, time: StoreMaterial.start), for: "a")
            }
            try await store.prune(now: StoreMaterial.start)
            #expect(try await store.deadLetters(of: nil).map(\.record.draft) == StoreMaterial.drafts(30..<40))
            #expect(try await store.status().dropped == 30)
            await store.close()
        }
    }

    /// What a repair at work sets aside takes as much as the store, and the quota has room for one of them only.
    @Test func `a database that is set aside at work counts under the quota at once`() async throws {
        try await StoreDirectory.with { home in
            let first = try await home.open()
            let records = try await first.append(StoreMaterial.drafts(0..<5_000), checkpoint: nil)
            await first.close()
            let size = try home.bytes(of: "track.sqlite").count
            try home.overwritePage(40, with: Array(repeating: 0, count: 4096))
            let store = try await home.open()
            try await store.configure(RetentionConfiguration(maxBytes: Int64(size) * 2), sinks: ["a"])
            #expect(try await store.allRecords(page: 500).count >= records.count - 60)
            #expect(try home.setAside == [])
            #expect(try await store.status().warning?.contains("set aside") != true)
            await store.close()
        }
    }

    @Test func `pruning removes databases that were set aside before it is over the quota`() async throws {
        try await StoreDirectory.with { home in
            let first = try await home.open()
            _ = try await first.append(StoreMaterial.drafts(0..<2_000), checkpoint: nil)
            await first.close()
            let size = try home.bytes(of: "track.sqlite").count
            try home.overwritePage(0, with: Array(repeating: 1, count: 4096))
            let store = try await home.open()
            try await store.configure(
                RetentionConfiguration(maxDaysToPersist: 0, maxBytes: Int64(size) * 4), sinks: ["a"])
            #expect(try home.setAside.count == 1)
            _ = try await store.append(StoreMaterial.drafts(2_000..<5_000), checkpoint: nil)
            #expect(try await store.prune(now: StoreMaterial.start).dropped == 0)
            #expect(try home.setAside == [])
            await store.close()
        }
    }

    /// The cost of a page must not grow with the store; a million rows would only make the test slow.
    @Test func `reading a page from a large store costs no more than from a small one`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            for start in stride(from: 0, to: 100_000, by: 5_000) {
                _ = try await store.append(StoreMaterial.drafts(start..<start + 5_000), checkpoint: nil)
            }
            let clock = ContinuousClock()
            var elapsed: [Duration] = []
            for start in stride(from: Int64(0), to: 99_000, by: 1_000) {
                let duration = try await clock.measure {
                    let page = try await store.records(after: RecordSequence(rawValue: start), limit: 10)
                    #expect(page.first?.sequence.rawValue == start + 1)
                    #expect(try await store.backlog(of: "a").count == 100_000)
                }
                elapsed.append(duration)
            }
            // A scan would take each more than 100 ms, or those at one end if it only went from or to the other. A busy
            // machine keeps some of them waiting, not all.
            #expect(elapsed.prefix(30).contains { $0 < .milliseconds(50) })
            #expect(elapsed.suffix(30).contains { $0 < .milliseconds(50) })
            await store.close()
        }
    }
}
