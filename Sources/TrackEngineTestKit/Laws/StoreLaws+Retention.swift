import TrackEngine

extension StoreLaws {
    func pruningSparesWhatASinkNeeds(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(), sinks: ["a", "b"])
        let all = try await store.append(0..<6)
        try await store.settleNext(5, for: "a")
        try await store.settleNext(2, for: "b")
        let report = try await store.prune(now: StoreMaterial.start)
        witness.expect("the report", report, is: PruneReport(settled: 2, dropped: 0))
        witness.expect("what is left", try await store.allRecords(), is: Array(all[2...]))
        let b = try await store.nextBatch(for: "b", limit: 9)?.records
        witness.expect("what the slow sink gets", b, is: Array(all[2...]))
        try await store.configure(RetentionConfiguration(), sinks: ["b"])
        try await store.settleNext(9, for: "b")
        try await store.prune(now: StoreMaterial.start)
        witness.expect("what is left once a sink is gone", try await store.allRecords(), is: [])
    }

    func pruningRemovesTheSettled(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(), sinks: ["a"])
        try await store.append(0..<4)
        try await store.settleNext(4, for: "a")
        let report = try await store.prune(now: StoreMaterial.start)
        witness.expect("the report", report, is: PruneReport(settled: 4, dropped: 0))
        let status = try await store.status()
        witness.expect("the count", status.count, is: 0)
        witness.expect("the drops", status.dropped, is: 0)
        let more = try await store.append(4..<6)
        witness.expect("what comes next", try await store.nextBatch(for: "a", limit: 9)?.records, is: more)
    }

    func keepsSyncedDays(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 0, keepSyncedDays: 2), sinks: ["a"])
        let all = try await store.append(0..<4)
        let first = StoreMaterial.start.advanced(by: .seconds(3600))
        try await store.settleNext(2, for: "a", at: first)
        try await store.settleNext(1, for: "a", at: first.advanced(by: .seconds(86_400)))
        for (hours, left) in [(1, 4), (47, 4), (48, 2), (71, 2), (72, 1), (500, 1)] {
            try await store.prune(now: first.advanced(by: .seconds(Int64(hours) * 3600)))
            let seen = try await store.allRecords()
            witness.expect("left \(hours) h after the first was settled", seen, is: Array(all.suffix(left)))
        }
    }

    func keepsSyncedDaysWhateverTheClock(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 0, keepSyncedDays: 2), sinks: ["a"])
        let all = try await store.append(0..<4)
        func time(_ hours: Int64) -> Timestamp { StoreMaterial.start.advanced(by: .seconds(hours * 3600)) }
        try await store.settleNext(2, for: "a", at: time(100))
        try await store.settleNext(1, for: "a", at: time(10))  // the clock has gone back
        try await store.prune(now: time(900), isClockConfirmed: false)
        witness.expect("left by a clock that nothing confirms", try await store.allRecords(), is: all)
        for (hours, left) in [(10, 4), (58, 4), (100, 4), (147, 4), (60, 4), (148, 1)] as [(Int64, Int)] {
            try await store.prune(now: time(hours))
            let seen = try await store.allRecords()
            witness.expect("left at \(hours) h, settled at 100 h and 10 h", seen, is: Array(all.suffix(left)))
        }
    }

    func dropsTheAged(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 2), sinks: ["a"])
        let day: Int64 = 86_400
        let drafts = [0, 3, 1, 4, 2].map { age in
            StoreMaterial.draft(Int(age), time: StoreMaterial.start.advanced(by: .seconds(-age * day)))
        }
        let all = try await store.append(drafts, checkpoint: nil)
        let report = try await store.prune(now: StoreMaterial.start)
        witness.expect("the report", report, is: PruneReport(settled: 0, dropped: 2))
        witness.expect("what is left", try await store.allRecords(), is: [all[0], all[2], all[4]])
        witness.expect("the drops", try await store.status().dropped, is: 2)
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 0), sinks: ["a"])
        try await store.prune(now: StoreMaterial.start.advanced(by: .seconds(300 * day)))
        witness.expect("what is left without a limit", try await store.status().count, is: 3)
    }

    func doubtsAClockFarAhead(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 7), sinks: ["a"])
        let all = try await store.append(0..<3)
        try await store.prune(now: StoreMaterial.start.advanced(by: .seconds(86_400 * 365 * 12)))
        witness.expect("left with the clock twelve years ahead", try await store.allRecords(), is: all)
        try await store.prune(now: Timestamp(secondsSince1970: 0))
        witness.expect("left with the clock at 1970", try await store.allRecords(), is: all)
    }

    func holdsAtMostMaxRecords(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxRecords: 5), sinks: ["a"])
        var all = try await store.append(0..<4)
        try await store.settleNext(2, for: "a")
        all += try await store.append(4..<8)
        try await store.prune(now: StoreMaterial.start)
        witness.expect("what is left", try await store.allRecords(), is: Array(all.suffix(5)))
        witness.expect("the drops, two of three being settled", try await store.status().dropped, is: 1)
        try await store.append(8..<20)
        witness.expect("the count after a large append", try await store.status().count, is: 5)
        witness.expect("the drops after it", try await store.status().dropped, is: 13)
        let next = try await store.nextBatch(for: "a", limit: 9)?.records.drafts
        witness.expect("what the sink gets", next, is: StoreMaterial.drafts(15..<20))
    }

    func withoutSinksOnlyLimitsRemove(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 1), sinks: [])
        let all = try await store.append(0..<3)
        try await store.prune(now: StoreMaterial.start)
        witness.expect("what is left", try await store.allRecords(), is: all)
        let report = try await store.prune(now: StoreMaterial.start.advanced(by: .seconds(86_400 + 90)))
        witness.expect("the report a day later", report, is: PruneReport(settled: 0, dropped: 2))
    }

    func clearsEverything(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        _ = try await store.append(StoreMaterial.drafts(0..<6), checkpoint: StoreMaterial.checkpoint(1))
        let hasDeadLetters = capabilities.contains(.deadLetters)
        try await store.settleNext(3, for: "a", refusing: hasDeadLetters ? [0, 1] : [])
        _ = try await store.requeueDeadLetters(DeadLetterSelection())
        try await store.settleNext(1, for: "a", refusing: hasDeadLetters ? [0] : [])
        try await store.clear()
        let status = try await store.status()
        witness.expect("the count", status.count, is: 0)
        witness.expect("the dead letters", try await store.deadLetters(of: nil), is: [])
        witness.expect("the checkpoints", try await store.checkpoints(), is: [])
        witness.expect("the drops", status.dropped, is: 0)
        witness.expect("the next batch", try await store.nextBatch(for: "a", limit: 9), is: nil)
        let more = try await store.append(6..<8)
        witness.expect("the batch afterwards", try await store.nextBatch(for: "a", limit: 9)?.records, is: more)
    }
}
