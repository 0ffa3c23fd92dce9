import TrackEngine

extension StoreLaws {
    func listsTheRefused(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let all = try await store.append(0..<4)
        let time = StoreMaterial.start.advanced(by: .seconds(7))
        try await store.settleNext(4, for: "a", refusing: [1, 2], at: time)
        let expected = [1, 2].map { DeadLetter(sink: "a", record: all[$0], reason: "refused \($0)", time: time) }
        witness.expect("the dead letters", try await store.deadLetters(of: "a"), is: expected)
        witness.expect("those of all sinks", try await store.deadLetters(of: nil), is: expected)
        witness.expect("their number", try await store.status().deadLetters, is: 2)
        witness.expect("the next batch", try await store.nextBatch(for: "a", limit: 9), is: nil)
    }

    func deadLettersOutliveTheirRecords(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(), sinks: ["a"])
        let all = try await store.append(0..<2)
        try await store.settleNext(2, for: "a", refusing: [0])
        try await store.prune(now: StoreMaterial.start)
        witness.expect("the records after pruning", try await store.status().count, is: 0)
        witness.expect("the dead letters", try await store.deadLetters(of: "a").map(\.record), is: [all[0]])
        _ = try await store.requeueDeadLetters(DeadLetterSelection())
        witness.expect("the batch", try await store.nextBatch(for: "a", limit: 9)?.records, is: [all[0]])
    }

    func requeuedComeFirst(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let all = try await store.append(0..<5)
        try await store.settleNext(3, for: "a", refusing: [0, 2])
        witness.expect("how many", try await store.requeueDeadLetters(DeadLetterSelection(sink: "a")), is: 2)
        witness.expect("the dead letters then", try await store.deadLetters(of: nil), is: [])
        let both = PendingBatch(origin: .requeued, records: [all[0], all[2]])
        witness.expect("the first batch", try await store.nextBatch(for: "a", limit: 10), is: both)
        let one = PendingBatch(origin: .requeued, records: [all[0]])
        witness.expect("a batch of one", try await store.nextBatch(for: "a", limit: 1), is: one)
        try await store.settleNext(10, for: "a")
        let rest = PendingBatch(origin: .queue, records: Array(all[3...]))
        witness.expect("the batch behind them", try await store.nextBatch(for: "a", limit: 10), is: rest)
        let other = try await store.nextBatch(for: "b", limit: 10)
        witness.expect("the other sink's batch", other, is: PendingBatch(origin: .queue, records: all))
    }

    func refusesAgain(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let all = try await store.append(0..<3)
        try await store.settleNext(3, for: "a", refusing: [0, 1])
        _ = try await store.requeueDeadLetters(DeadLetterSelection())
        let later = StoreMaterial.start.advanced(by: .seconds(60))
        try await store.settleNext(2, for: "a", refusing: [1], at: later)
        let expected = DeadLetter(sink: "a", record: all[1], reason: "refused 1", time: later)
        witness.expect("the dead letters", try await store.deadLetters(of: "a"), is: [expected])
        witness.expect("the next batch", try await store.nextBatch(for: "a", limit: 9), is: nil)
    }

    func selectsDeadLetters(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let all = try await store.append(0..<3)
        try await store.settleNext(3, for: "a", refusing: [0, 1, 2])
        try await store.settleNext(3, for: "b", refusing: [0, 1])
        let one = DeadLetterSelection(sink: "b", record: all[0].id)
        witness.expect("dropped of one sink and record", try await store.dropDeadLetters(one), is: 1)
        witness.expect("dropped again", try await store.dropDeadLetters(one), is: 0)
        let record = DeadLetterSelection(record: all[1].id)
        witness.expect("requeued of one record", try await store.requeueDeadLetters(record), is: 2)
        witness.expect("left of a", try await store.deadLetters(of: "a").map(\.record), is: [all[0], all[2]])
        witness.expect("left of b", try await store.deadLetters(of: "b"), is: [])
        witness.expect("dropped of all", try await store.dropDeadLetters(DeadLetterSelection()), is: 2)
        for sink in ["a", "b"] as [SinkID] {
            let batch = PendingBatch(origin: .requeued, records: [all[1]])
            witness.expect("the batch of \(sink)", try await store.nextBatch(for: sink, limit: 9), is: batch)
        }
    }
}
