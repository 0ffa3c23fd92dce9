import TrackEngine

extension StoreLaws {
    func deliversInOrder(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let all = try await store.append(0..<10)
        var delivered: [TrackRecord] = []
        while true {
            let next = try await store.settleNext(3, for: "a")
            if next.isEmpty { break }
            witness.expect(next.count <= 3, "a batch of at most 3 had \(next.count) records")
            delivered += next
            if delivered.count > all.count { break }
        }
        witness.expect("what came in batches of 3", delivered.numbers, is: all.numbers)
        witness.expect("the records", delivered, is: all)
        witness.expect("a batch of none", try await store.nextBatch(for: "b", limit: 0), is: nil)
    }

    func repeatsUntilSettled(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        try await store.append(0..<4)
        let first = try await store.nextBatch(for: "a", limit: 3)
        try await store.append(4..<6)
        witness.expect("the batch asked for again", try await store.nextBatch(for: "a", limit: 3), is: first)
        witness.expect("its origin", first?.origin, is: .queue)
    }

    func settlesNoMoreThanAsked(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let all = try await store.append(0..<6)
        let batch = try await store.nextBatch(for: "a", limit: 5)?.records ?? []
        let settlement = Settlement(origin: .queue, records: Array(batch.prefix(2)), time: StoreMaterial.start)
        try await store.settle(settlement, for: "a")
        let rest = try await store.nextBatch(for: "a", limit: 10)?.records ?? []
        witness.expect("what is left of six after settling two", rest.numbers, is: Array(all.numbers.dropFirst(2)))
        witness.expect("the dead letters", try await store.deadLetters(of: nil), is: [])
    }

    func settlesOnlyOnce(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let all = try await store.append(0..<6)
        let early = Settlement(
            origin: .queue, records: Array(all.prefix(2)), refused: [all[0].id: "no"], time: StoreMaterial.start)
        try await store.settle(early, for: "a")
        let later = Settlement(origin: .queue, records: Array(all.prefix(4)), time: StoreMaterial.start)
        try await store.settle(later, for: "a")
        try await store.settle(early, for: "a")
        try await store.settle(Settlement(origin: .requeued, records: all, time: StoreMaterial.start), for: "a")
        let rest = try await store.nextBatch(for: "a", limit: 10)?.records ?? []
        witness.expect("what is left of six", rest.numbers, is: Array(all.numbers.dropFirst(4)))
        guard capabilities.contains(.deadLetters) else { return }
        witness.expect("the dead letters", try await store.deadLetters(of: "a").map(\.record), is: [all[0]])
    }

    func keepsCursorsApart(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let all = try await store.append(0..<5)
        try await store.settleNext(3, for: "a", refusing: [1])
        let other = try await store.nextBatch(for: "b", limit: 10)?.records ?? []
        witness.expect("what the other sink gets", other.numbers, is: all.numbers)
        witness.expect("the other sink's dead letters", try await store.deadLetters(of: "b"), is: [])
        try await store.settleNext(5, for: "b")
        let rest = try await store.nextBatch(for: "a", limit: 10)?.records ?? []
        witness.expect("what the first sink still gets", rest.numbers, is: Array(all.numbers.dropFirst(3)))
    }

    func countsTheBacklog(_ store: any FixStore, _ witness: inout LawWitness) async throws {
        let none = Backlog(count: 0, oldest: nil, newest: nil)
        witness.expect("the backlog of an empty store", try await store.backlog(of: "a"), is: none)
        let all = try await store.append(0..<5)
        try await store.settleNext(2, for: "a", refusing: [0])
        var expected = Backlog(count: 3, oldest: all[2].fix.time, newest: all[4])
        witness.expect("the backlog after two of five", try await store.backlog(of: "a"), is: expected)
        guard capabilities.contains(.deadLetters) else { return }
        _ = try await store.requeueDeadLetters(DeadLetterSelection())
        expected = Backlog(count: 4, oldest: all[0].fix.time, newest: all[4])
        witness.expect("the backlog with one requeued", try await store.backlog(of: "a"), is: expected)
        try await store.settle(
            Settlement(origin: .queue, records: Array(all[2...]), time: StoreMaterial.start), for: "a")
        expected = Backlog(count: 1, oldest: all[0].fix.time, newest: all[0])
        witness.expect("the backlog of one requeued", try await store.backlog(of: "a"), is: expected)
    }
}
