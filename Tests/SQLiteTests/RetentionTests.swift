import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// What the store has to remember so that limits hold across restarts. The laws examine the limits themselves.
@Suite struct RetentionTests {
    private let start = StoreMaterial.start

    private func hours(_ count: Int64) -> Timestamp { start.advanced(by: .seconds(count * 3600)) }

    /// Opens the store anew: after an orderly end, or what a kill would have left.
    private func reopen(
        _ store: SQLiteFixStore, in home: StoreDirectory, isKilled: Bool
    ) async throws -> SQLiteFixStore {
        let next = isKilled ? home.fresh() : home
        if isKilled { try home.copy(to: next) }
        await store.close()
        return try await next.open()
    }

    /// Settles the first records of what comes next for the sink `a`.
    private func settle(
        _ count: Int, in store: SQLiteFixStore, refusing reason: String? = nil, at time: Timestamp
    ) async throws {
        let batch = try #require(try await store.nextBatch(for: "a", limit: count))
        let refused = reason.map { reason in batch.records.map { ($0.id, reason) } } ?? []
        let settlement = Settlement(
            origin: batch.origin, records: batch.records, refused: Dictionary(uniqueKeysWithValues: refused),
            time: time)
        try await store.settle(settlement, for: "a")
    }

    @Test(arguments: [false, true])
    func `a late fix is found by its age after a restart`(_ isKilled: Bool) async throws {
        try await StoreDirectory.with { home in
            let first = try await home.open()
            let late = StoreMaterial.draft(600, time: hours(-120))
            _ = try await first.append(StoreMaterial.drafts(0..<600) + [late], checkpoint: nil)
            let store = try await reopen(first, in: home, isKilled: isKilled)
            try await store.configure(RetentionConfiguration(maxDaysToPersist: 2), sinks: ["a"])
            // Without the reserve pruning looks at 200 rows at a time, of which the first 600 are young.
            try await store.releaseReserve()
            let report = try await store.prune(now: hours(10), isClockConfirmed: true)
            #expect(report == PruneReport(settled: 0, dropped: 1))
            #expect(try await store.allRecords().map(\.draft) == StoreMaterial.drafts(0..<600))
            await store.close()
        }
    }

    @Test(arguments: [false, true])
    func `when records were settled is known after a restart`(_ isKilled: Bool) async throws {
        try await StoreDirectory.with { home in
            let retention = RetentionConfiguration(maxDaysToPersist: 0, keepSyncedDays: 2)
            let first = try await home.open()
            try await first.configure(retention, sinks: ["a"])
            let all = try await first.append(StoreMaterial.drafts(0..<4), checkpoint: nil)
            try await settle(2, in: first, at: hours(1))
            try await settle(1, in: first, at: hours(25))
            // What was settled before the first prune is noted with it.
            _ = try await first.prune(now: hours(26), isClockConfirmed: true)
            let store = try await reopen(first, in: home, isKilled: isKilled)
            try await store.configure(retention, sinks: ["a"])
            for (hour, left) in [(48, 4), (49, 2), (72, 2), (74, 1), (500, 1)] as [(Int64, Int)] {
                _ = try await store.prune(now: hours(hour), isClockConfirmed: true)
                #expect(try await store.allRecords() == Array(all.suffix(left)), "after \(hour) hours")
            }
            await store.close()
        }
    }

    @Test(arguments: [false, true])
    func `the count of drops goes on after a restart`(_ isKilled: Bool) async throws {
        try await StoreDirectory.with { home in
            let retention = RetentionConfiguration(maxRecords: 5)
            let first = try await home.open()
            try await first.configure(retention, sinks: ["a"])
            _ = try await first.append(StoreMaterial.drafts(0..<12), checkpoint: nil)
            let store = try await reopen(first, in: home, isKilled: isKilled)
            #expect(try await store.status().dropped == 7)
            try await store.configure(retention, sinks: ["a"])
            _ = try await store.append(StoreMaterial.drafts(12..<14), checkpoint: nil)
            let status = try await store.status()
            #expect(status.dropped == 9)
            #expect(status.count == 5)
            await store.close()
        }
    }

    @Test func `a long settled queue is removed in steps and counted whole, and its checkpoint stays`() async throws {
        try await StoreDirectory.with { home in
            let first = try await home.open()
            try await first.configure(RetentionConfiguration(), sinks: ["a"])
            let checkpoint = StoreMaterial.checkpoint(999)
            _ = try await first.append(StoreMaterial.drafts(0..<1_000), checkpoint: checkpoint)
            try await settle(1_000, in: first, at: start)
            try await first.releaseReserve()
            let report = try await first.prune(now: start, isClockConfirmed: true)
            #expect(report == PruneReport(settled: 1_000, dropped: 0))
            #expect(try await first.status().count == 0)
            let store = try await reopen(first, in: home, isKilled: true)
            #expect(try await store.checkpoints() == [checkpoint])
            #expect(try await store.status().count == 0)
            #expect(try await store.nextBatch(for: "a", limit: 9) == nil)
            await store.close()
        }
    }

    @Test func `what is aged stays while the clock is not confirmed, and the report says so`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            try await store.configure(RetentionConfiguration(maxDaysToPersist: 2), sinks: ["a"])
            _ = try await store.append(StoreMaterial.drafts(0..<4), checkpoint: nil)
            try await settle(2, in: store, refusing: "no", at: start)
            let later = hours(24 * 3)
            let unconfirmed = try await store.prune(now: later, isClockConfirmed: false)
            #expect(unconfirmed.keepsAged)
            #expect(unconfirmed.dropped == 0)
            #expect(try await store.deadLetters(of: "a").count == 2)
            let confirmed = try await store.prune(now: later, isClockConfirmed: true)
            #expect(confirmed == PruneReport(settled: 0, dropped: 4), "two records and two letters")
            #expect(try await store.deadLetters(of: nil).isEmpty)
            #expect(try await store.allRecords().isEmpty)
            await store.close()
        }
    }

    @Test func `a record that every sink has settled is no drop when its age removes it`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            let retention = RetentionConfiguration(maxDaysToPersist: 2, keepSyncedDays: 30)
            try await store.configure(retention, sinks: ["a"])
            _ = try await store.append(StoreMaterial.drafts(0..<4), checkpoint: nil)
            try await settle(3, in: store, at: start)
            let report = try await store.prune(now: hours(24 * 3), isClockConfirmed: true)
            #expect(report == PruneReport(settled: 3, dropped: 1))
            #expect(try await store.status().dropped == 1)
            await store.close()
        }
    }
}
