import TrackEngine

/// What limits remove, and in which order.
extension StoreLaws {
    func keepsTheAgedUnderAnUnconfirmedClock(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 7), sinks: ["a"])
        let all = try await store.append(0..<5)
        try await store.settleNext(2, for: "a", refusing: [0])
        let rest = Array(all[2...])
        for days in [8, 30, 370] {
            let now = StoreMaterial.start.advanced(by: .seconds(86_400 * days))
            let report = try await store.prune(now: now, isClockConfirmed: false)
            witness.expect("the drops with the clock \(days) days ahead", report.dropped, is: 0)
            witness.expect("that aged ones are kept", report.keepsAged, is: true)
            witness.expect("left with the clock \(days) days ahead", try await store.allRecords(), is: rest)
            witness.expect("the dead letters", try await store.status().deadLetters, is: 1)
        }
        let confirmed = StoreMaterial.start.advanced(by: .seconds(86_400 * 8))
        let report = try await store.prune(now: confirmed, isClockConfirmed: true)
        witness.expect("the drops once the clock is confirmed", report.dropped, is: 4)
    }

    func dropsAgedDeadLetters(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 2), sinks: ["a"])
        let all = try await store.append(0..<3)
        let day: Int64 = 86_400
        for (age, number) in [(3, 0), (1, 1), (0, 2)] as [(Int64, Int)] {
            let time = StoreMaterial.start.advanced(by: .seconds(-age * day))
            let settlement = Settlement(
                origin: .queue, records: [all[number]], refused: [all[number].id: "no"], time: time)
            try await store.settle(settlement, for: "a")
        }
        let report = try await store.prune(now: StoreMaterial.start)
        witness.expect("the report", report, is: PruneReport(settled: 3, dropped: 1))
        let left = try await store.deadLetters(of: nil).map(\.record)
        witness.expect("the dead letters", left, is: [all[1], all[2]])
        witness.expect("the drops", try await store.status().dropped, is: 1)
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 0), sinks: ["a"])
        try await store.prune(now: StoreMaterial.start.advanced(by: .seconds(300 * day)))
        witness.expect("the dead letters without a limit", try await store.status().deadLetters, is: 2)
    }

    func boundsDeadLetters(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 0), sinks: ["a"])
        let limit = RetentionConfiguration.defaultMaximumDeadLetters
        try await store.append(0..<limit + 5)
        try await store.settleNext(limit + 5, for: "a", refusing: Set(0..<limit + 5))
        try await store.prune(now: StoreMaterial.start)
        let status = try await store.status()
        witness.expect("the dead letters", status.deadLetters, is: limit)
        witness.expect("the drops", status.dropped, is: 5)
        let first = try await store.deadLetters(of: "a").first?.record.draft
        witness.expect("the oldest left", first, is: StoreMaterial.draft(5))
    }

    func dropsDeadLettersBeforeRecords(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 0, maxBytes: 1_048_576), sinks: ["a"])
        try await store.append(0..<500)
        try await store.settleNext(500, for: "a", refusing: Set(0..<500))
        try await store.prune(now: StoreMaterial.start)
        var appended = 500
        while try await store.status().dropped == 0, appended < 40_000 {
            try await store.append(appended..<appended + 250)
            appended += 250
        }
        let status = try await store.status()
        witness.expect(status.deadLetters < 500, "no dead letter went")
        witness.expect("the records that no sink has had", status.count, is: appended - 500)
        witness.expect("the drops", status.dropped, is: Int64(500 - status.deadLetters))
    }
}
