import Testing
import TrackEngine
import TrackEngineTestKit

@Suite struct InMemoryFixStoreTests {
    @Test(arguments: StoreLaws.Law.allCases)
    func `keeps the law`(_ law: StoreLaws.Law) async throws {
        let laws = StoreLaws(make: { InMemoryFixStore() }, seeds: 0..<200)
        #expect(try await laws.violations(of: law) == [])
    }

    @Test func `never holds more than its capacity, and counts what it drops`() async throws {
        let store = InMemoryFixStore(capacity: 10)
        for start in stride(from: 0, to: 100, by: 4) {
            _ = try await store.append(StoreMaterial.drafts(start..<start + 4), checkpoint: nil)
            #expect(try await store.status().count <= 10)
        }
        #expect(try await store.allRecords().map(\.draft) == StoreMaterial.drafts(90..<100))
        #expect(try await store.status().dropped == 90)
    }

    @Test func `keeps the last odometer of each source of an append`() async throws {
        let store = InMemoryFixStore()
        let sources: [SourceID] = ["a", "b", "a", "c"]
        _ = try await store.append(
            sources.enumerated().map { StoreMaterial.draft($0.offset, source: $0.element) }, checkpoint: nil)
        #expect(try await store.odometers() == ["a": 25, "b": 12.5, "c": 37.5])
    }

    @Test func `holds no more than its quota of bytes`() async throws {
        let store = InMemoryFixStore()
        try await store.configure(RetentionConfiguration(maxBytes: 1_048_576), sinks: [])
        _ = try await store.append(StoreMaterial.drafts(0..<20_000), checkpoint: nil)
        let status = try await store.status()
        #expect(status.bytes <= 1_048_576)
        #expect(status.dropped == 20_000 - Int64(status.count))
        #expect(status.count > 1_000)
    }

    @Test func `dead letters that were put back count under the quota, and go when they are the oldest`() async throws {
        let store = InMemoryFixStore()
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 0, maxBytes: 262_144), sinks: ["a"])
        for start in stride(from: 0, to: 4_000, by: 200) {
            let records = try await store.append(StoreMaterial.drafts(start..<start + 200), checkpoint: nil)
            let refused = Dictionary(uniqueKeysWithValues: records.map { ($0.id, "no") })
            try await store.settle(
                Settlement(origin: .queue, records: records, refused: refused, time: StoreMaterial.start), for: "a")
            _ = try await store.requeueDeadLetters(DeadLetterSelection())
        }
        let new = try await store.append(StoreMaterial.drafts(4_000..<4_100), checkpoint: nil)
        let status = try await store.status()
        let waiting = try await store.backlog(of: "a").count
        #expect(status.bytes <= 262_144)
        #expect(try await store.allRecords().last == new.last)
        #expect(status.dropped == Int64(4_100 - waiting))
        let batch = try await store.nextBatch(for: "a", limit: 1)
        #expect(batch?.records.first?.sequence.rawValue == Int64(4_100 - waiting + 1))
    }

    @Test func `delivered records go before dead letters that were put back`() async throws {
        let store = InMemoryFixStore()
        try await store.configure(
            RetentionConfiguration(maxDaysToPersist: 0, maxBytes: 524_288, keepSyncedDays: 30), sinks: ["a"])
        let first = try await store.append(StoreMaterial.drafts(0..<300), checkpoint: nil)
        let refused = Dictionary(uniqueKeysWithValues: first[0..<100].map { ($0.id, "no") })
        try await store.settle(
            Settlement(origin: .queue, records: first, refused: refused, time: StoreMaterial.start), for: "a")
        #expect(try await store.requeueDeadLetters(DeadLetterSelection()) == 100)
        var last = 300
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
        #expect(try await store.allRecords().first?.sequence.rawValue ?? 0 > 300)
    }

    @Test func `gives memory back while records come and go`() async throws {
        let store = InMemoryFixStore()
        try await store.configure(RetentionConfiguration(), sinks: ["a"])
        for round in 0..<50 {
            let records = try await store.append(StoreMaterial.drafts(round * 100..<round * 100 + 100), checkpoint: nil)
            let settlement = Settlement(origin: .queue, records: records, time: StoreMaterial.start)
            try await store.settle(settlement, for: "a")
            #expect(try await store.prune(now: StoreMaterial.start) == PruneReport(settled: 100, dropped: 0))
        }
        #expect(try await store.status().count == 0)
        #expect(try await store.status().lastSequence.rawValue == 5_000)
    }
}
