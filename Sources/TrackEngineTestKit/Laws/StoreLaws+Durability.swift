import TrackEngine

extension StoreLaws {
    func remembersRecords(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        guard let reopen else { return }
        let drafts = StoreMaterial.drafts(0..<7) + StoreMaterial.events(7)
        let all = try await store.append(drafts, checkpoint: nil)
        let reopened = try await reopen(store)
        witness.expect("the records", try await reopened.allRecords(), is: all)
        witness.expect("the count", try await reopened.status().count, is: drafts.count)
        await reopened.close()
    }

    func remembersCursors(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        guard let reopen else { return }
        let all = try await store.append(0..<7)
        try await store.settleNext(3, for: "a")
        try await store.settleNext(5, for: "b", refusing: [4])
        let reopened = try await reopen(store)
        for (sink, settled) in [("a", 3), ("b", 5), ("c", 0)] as [(SinkID, Int)] {
            let next = try await reopened.nextBatch(for: sink, limit: 9)?.records ?? []
            witness.expect("what \(sink) gets", next.numbers, is: Array(all.numbers.dropFirst(settled)))
        }
        await reopened.close()
    }

    func remembersDeadLetters(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        guard let reopen else { return }
        let all = try await store.append(0..<4)
        try await store.settleNext(4, for: "a", refusing: [0, 3])
        _ = try await store.requeueDeadLetters(DeadLetterSelection(record: all[3].id))
        let letters = try await store.deadLetters(of: nil)
        let reopened = try await reopen(store)
        witness.expect("the dead letters", try await reopened.deadLetters(of: nil), is: letters)
        let batch = PendingBatch(origin: .requeued, records: [all[3]])
        witness.expect("the requeued", try await reopened.nextBatch(for: "a", limit: 9), is: batch)
        await reopened.close()
    }

    func remembersCheckpoints(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        guard let reopen else { return }
        _ = try await store.append(StoreMaterial.drafts(0..<1), checkpoint: StoreMaterial.checkpoint(1))
        _ = try await store.append([], checkpoint: StoreMaterial.checkpoint(2))
        let reopened = try await reopen(store)
        witness.expect("the checkpoints", try await reopened.checkpoints(), is: [StoreMaterial.checkpoint(2)])
        await reopened.close()
    }

    func continuesNumbersAfterReopening(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        guard let reopen else { return }
        let last = try await store.append(0..<9).last?.sequence ?? .zero
        try await store.clear()
        let reopened = try await reopen(store)
        let next = try await reopened.append(9..<10).first?.sequence ?? .zero
        witness.expect(next > last, "after \(last) came \(next)")
        await reopened.close()
    }

    func remembersDrops(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        guard let reopen else { return }
        try await store.configure(RetentionConfiguration(maxRecords: 2), sinks: ["a"])
        try await store.append(0..<9)
        let reopened = try await reopen(store)
        witness.expect("the drops", try await reopened.status().dropped, is: 7)
        await reopened.close()
    }
}
