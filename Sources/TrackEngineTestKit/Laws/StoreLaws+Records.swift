import TrackEngine

extension StoreLaws {
    func keepsWhatItAcknowledged(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let drafts = StoreMaterial.drafts(0..<50)
        let first = try await store.append(Array(drafts[..<1]), checkpoint: nil)
        let rest = try await store.append(Array(drafts[1...]), checkpoint: nil)
        witness.expect("what append returned", (first + rest).drafts, is: drafts)
        witness.expect("what is read afterwards", try await store.allRecords(), is: first + rest)
        witness.expect("the count", try await store.status().count, is: 50)
        witness.expect("an empty append", try await store.append([], checkpoint: nil), is: [])
    }

    func givesEachNumberOnce(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.configure(RetentionConfiguration(), sinks: ["a"])
        var given = try await store.append(0..<5).numbers
        try await store.settleNext(5, for: "a")
        try await store.prune(now: StoreMaterial.start)
        given += try await store.append(5..<8).numbers
        try await store.clear()
        given += try await store.append(8..<10).numbers
        let grows = zip(given, given.dropFirst()).allSatisfy { $0 < $1 }
        witness.expect(grows && given.first ?? 0 > 0, "the numbers given in turn were \(given)")
        witness.expect("the last number", try await store.status().lastSequence.rawValue, is: given.last ?? -1)
    }

    func readsPageByPage(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let all = try await store.append(0..<10)
        for limit in [0, 1, 3, 10, 11] {
            let page = try await store.records(after: .zero, limit: limit)
            witness.expect("the first \(limit)", page, is: Array(all.prefix(limit)))
        }
        for record in all {
            let page = try await store.records(after: record.sequence, limit: 2)
            let expected = all.filter { $0.sequence > record.sequence }.prefix(2)
            witness.expect("two after \(record.sequence)", page, is: Array(expected))
            let positions = try await store.records(after: record.sequence, kinds: .location, limit: 2)
            witness.expect("two positions after \(record.sequence)", positions, is: Array(expected))
        }
        let visits = try await store.records(after: .zero, kinds: .visit, limit: 10)
        witness.expect("visits, of which there are none", visits, is: [])
    }

    func keepsConcurrentAppends(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let tasks = 8
        let returned = try await withThrowingTaskGroup(of: [[TrackRecord]].self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var mine: [[TrackRecord]] = []
                    for round in 0..<10 {
                        let first = (task * 10 + round) * 3
                        mine.append(try await store.append(first..<first + 3))
                    }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for mine in returned {
            let numbers = mine.flatMap(\.numbers)
            witness.expect(numbers == numbers.sorted(), "one task's appends got the numbers \(numbers)")
            let isWhole = mine.allSatisfy { $0.numbers.last == $0.numbers.first.map { $0 + 2 } }
            witness.expect(isWhole, "another append came between the records of one")
        }
        let all = returned.flatMap { $0.flatMap { $0 } }.sorted { $0.sequence < $1.sequence }
        witness.expect(Set(all.numbers).count == all.count, "a number was given twice")
        witness.expect(try await store.allRecords() == all, "what is read is not what was acknowledged")
    }

    func keepsCheckpoints(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let (first, second) = (StoreMaterial.checkpoint(1, of: "a"), StoreMaterial.checkpoint(2, of: "b"))
        let newer = StoreMaterial.checkpoint(3, of: "a")
        _ = try await store.append(StoreMaterial.drafts(0..<1), checkpoint: first)
        _ = try await store.append([], checkpoint: second)
        witness.expect("the checkpoints", Set(try await store.checkpoints()), is: [first, second])
        _ = try await store.append(StoreMaterial.drafts(1..<2), checkpoint: newer)
        _ = try await store.append(StoreMaterial.drafts(2..<3), checkpoint: nil)
        witness.expect("the newest checkpoints", Set(try await store.checkpoints()), is: [newer, second])
        try await store.forgetCheckpoints()
        witness.expect("the checkpoints once forgotten", try await store.checkpoints(), is: [])
        witness.expect("the records then", try await store.status().count, is: 3)
    }

    func refusesEverythingOnceClosed(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let record = try await store.append(0..<1)
        await store.close()
        await store.close()
        let settlement = Settlement(origin: .queue, records: record, time: StoreMaterial.start)
        var calls: [(String, () async throws -> Void)] = [
            ("append", { _ = try await store.append([], checkpoint: nil) }),
            ("records", { _ = try await store.records(after: .zero, limit: 1) }),
            ("nextBatch", { _ = try await store.nextBatch(for: "a", limit: 1) }),
            ("settle", { try await store.settle(settlement, for: "a") }),
            ("backlog", { _ = try await store.backlog(of: "a") }),
            ("configure", { try await store.configure(RetentionConfiguration(), sinks: []) }),
            ("prune", { try await store.prune(now: StoreMaterial.start) }),
            ("status", { _ = try await store.status() }),
            ("clear", { try await store.clear() }),
        ]
        if capabilities.contains(.checkpoints) {
            calls += [
                ("checkpoints", { _ = try await store.checkpoints() }),
                ("forgetCheckpoints", { try await store.forgetCheckpoints() }),
            ]
        }
        if capabilities.contains(.deadLetters) {
            calls += [
                ("deadLetters", { _ = try await store.deadLetters(of: nil) }),
                ("requeueDeadLetters", { _ = try await store.requeueDeadLetters(DeadLetterSelection()) }),
                ("dropDeadLetters", { _ = try await store.dropDeadLetters(DeadLetterSelection()) }),
            ]
        }
        for (name, call) in calls {
            do {
                try await call()
                witness.expect(false, "\(name) did not throw")
            } catch {
                witness.expect((error as? StoreError)?.code == .closed, "\(name) threw \(error)")
            }
        }
    }
}
