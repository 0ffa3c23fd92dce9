import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// Plays moves on an SQLite store and on the model, and compares all they show after each.
struct ModelPlay {
    private let folder: String
    private var store: SQLiteFixStore
    private var path: String
    private var model = StoreModel()
    private var number = 0
    private var crashes = 0
    private var now = StoreMaterial.start
    private var lastSettlement: (Settlement, SinkID)?
    private var difference: String?
    /// The cursors, the number of dead letters and those that had been put back before the current move.
    private var before: (cursors: [SinkID: RecordSequence], letters: Int, putBack: [DeadLetter]) = ([:], 0, [])

    /// Plays a sequence in an empty folder.
    ///
    /// - Returns: the first difference; `nil` when there is none.
    static func difference(
        of moves: [ModelMove], in folder: String, isolation: isolated (any Actor)? = #isolation
    ) async -> String? {
        do {
            var play = try await ModelPlay(folder: folder)
            for (step, move) in moves.enumerated() {
                do {
                    try await play.make(move)
                    try await play.compare()
                } catch {
                    play.note("threw", "\(error)", is: "no error")
                }
                guard let difference = play.difference else { continue }
                await play.store.close()
                return "step \(step + 1), \(move): \(difference)"
            }
            await play.store.close()
            return nil
        } catch {
            return "the store could not be opened: \(error)"
        }
    }

    private init(folder: String) async throws {
        self.folder = folder
        path = folder + "/0"
        store = try await StoreFolder.open(path)
    }

    private mutating func note<Value: Equatable>(_ what: String, _ seen: Value, is expected: Value) {
        if seen == expected || difference != nil { return }  // before any value is made into text
        difference = "\(what): expected \("\(expected)".prefix(200)), saw \("\(seen)".prefix(200))"
    }

    // MARK: - Moves

    private mutating func make(_ move: ModelMove) async throws {
        before = (model.cursors, model.dead.count, model.requeued)
        switch move {
        case .append(let count, let age): try await append(count, age: age)
        case .deliver(let sink, let limit, let taken, let refusal):
            try await deliver(to: sink, limit: limit, taken: taken, refusal: refusal)
        case .settleAgain:
            guard let (settlement, sink) = lastSettlement, settlement.origin == .queue else { return }
            try await settle(settlement, for: sink)
        case .prune(let isConfirmed): try await prune(isClockConfirmed: isConfirmed)
        case .requeue(let sink):
            let selection = DeadLetterSelection(sink: sink)
            note("requeued", try await store.requeueDeadLetters(selection), is: model.requeue(selection))
        case .drop(let sink):
            let selection = DeadLetterSelection(sink: sink)
            note("dropped letters", try await store.dropDeadLetters(selection), is: model.drop(selection))
        case .configure(let days, let records, let bytes, let synced, let sinks):
            model.retention = RetentionConfiguration(
                maxDaysToPersist: days, maxRecords: records, maxBytes: bytes, keepSyncedDays: synced)
            model.sinks = Set(sinks)
            try await store.configure(model.retention, sinks: model.sinks)
            try await prune()
        case .clear:
            try await store.clear()
            model.clear()
        case .forgetCheckpoints:
            try await store.forgetCheckpoints()
            model.checkpoints = [:]
        case .crash: try await crash()
        case .reopen:
            await store.close()
            try await open()
        case .clock(let seconds): now = now.advanced(by: .seconds(seconds))
        }
    }

    private mutating func append(_ count: Int, age: Int) async throws {
        let drafts = (number + 1...number + count).map { number in
            StoreMaterial.draft(number, time: now.advanced(by: .seconds(number % 7 - age)))
        }
        number += count
        let checkpoint = age % 2 == 0 ? StoreMaterial.checkpoint(number) : nil
        let records = try await store.append(drafts, checkpoint: checkpoint)
        note("appended", records.map(\.draft), is: drafts)
        let places = [model.last] + records.map(\.sequence)
        note("numbers that rise", zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, is: true)
        model.append(records, checkpoint: checkpoint)
    }

    private mutating func deliver(to sink: SinkID, limit: Int, taken: Int, refusal: Int) async throws {
        guard let batch = try await store.nextBatch(for: sink, limit: limit) else { return }
        let records = Array(batch.records.prefix(taken))
        let refused = records.enumerated().filter { $0.offset % refusal == refusal - 1 }.map { ($0.element.id, "422") }
        let settlement = Settlement(
            origin: batch.origin, records: records, refused: Dictionary(refused) { first, _ in first }, time: now)
        try await settle(settlement, for: sink)
        lastSettlement = (settlement, sink)
    }

    private mutating func settle(_ settlement: Settlement, for sink: SinkID) async throws {
        try await store.settle(settlement, for: sink)
        model.settle(settlement, for: sink)
    }

    private mutating func prune(isClockConfirmed: Bool = true) async throws {
        let report = try await store.prune(now: now, isClockConfirmed: isClockConfirmed)
        let expected = model.prune(now: now, isClockConfirmed: isClockConfirmed)
        if model.retention.maxBytes == 0 { note("pruned", report, is: expected) }
    }

    private mutating func crash() async throws {
        crashes += 1
        let copy = "\(folder)/\(crashes)"
        try StoreFolder.copy(path, to: copy)
        await store.close()
        path = copy
        try await open()
    }

    private mutating func open() async throws {
        store = try await StoreFolder.open(path)
        try await store.configure(model.retention, sinks: model.sinks)
    }

    // MARK: - Comparison

    private mutating func compare() async throws {
        let records = try await store.allRecords(page: 500)
        let status = try await store.status()
        let letters = try await store.deadLetters(of: nil)
        if model.retention.maxBytes > 0 { try await follow(records, letters, dropped: status.dropped) }
        note("records", records, is: model.records)
        note("count", status.count, is: model.records.count)
        note("last number", status.lastSequence, is: model.last)
        note("drops", status.dropped, is: model.dropped)
        note("dead letters", letters, is: model.dead)
        note("number of dead letters", status.deadLetters, is: model.dead.count)
        note("checkpoints", Set(try await store.checkpoints()), is: Set(model.checkpoints.values))
        for sink in ModelMove.sinks {
            note(
                "batch of \(sink)", try await store.nextBatch(for: sink, limit: 4), is: model.batch(for: sink, limit: 4)
            )
            note("backlog of \(sink)", try await store.backlog(of: sink), is: model.backlog(of: sink))
        }
    }

    /// How much a quota in bytes removes is the store's to say; that it removes the oldest, letters before what a sink
    /// still needs, and counts them is not.
    ///
    /// Room for a settlement's letters is made before it, so what a sink needs is judged by the cursors of before, and a
    /// record that went for them leaves no letter.
    private mutating func follow(_ records: [TrackRecord], _ letters: [DeadLetter], dropped: Int64) async throws {
        let gone = model.records.prefix(max(0, model.records.count - records.count))
        let needed = gone.filter { record in
            model.sinks.isEmpty || model.sinks.contains { record.sequence > before.cursors[$0] ?? .zero }
        }
        let new = model.dead.suffix(max(0, model.dead.count - before.letters))
        let old = model.dead.dropLast(new.count)
        let refusedAgain = new.filter { letter in before.putBack.contains { letter.isOfSameRecord(as: $0) } }
        let lostAgain = refusedAgain.filter { !letters.contains($0) }
        let kept = new.filter { letter in
            if refusedAgain.contains(letter) { return !lostAgain.contains(letter) }
            return !gone.contains { $0.sequence == letter.record.sequence }
        }
        let lost = max(0, old.count + kept.count - letters.count)
        model.records.removeFirst(gone.count)
        let putBack = try await followPutBack(through: needed.last?.sequence) + lostAgain.count
        if !needed.isEmpty || putBack > 0 {
            note("old letters kept while what waits was dropped", old.count - lost, is: 0)
        }
        note("drops counted", dropped - model.dropped, is: Int64(needed.count + putBack + lost))
        model.dead = Array(old.dropFirst(lost)) + kept
        model.dropped = dropped
    }

    /// Of the letters that were put back the oldest go, and none stays that is older than a record that went; answers how
    /// many are gone.
    private mutating func followPutBack(through place: RecordSequence?) async throws -> Int {
        var gone: [RecordSequence] = []
        for sink in ModelMove.sinks {
            let queue = model.records.count { $0.sequence > model.cursors[sink] ?? .zero }
            let kept = max(0, try await store.backlog(of: sink).count - queue)
            let sequences = model.requeued.filter { $0.sink == sink }.map(\.record.sequence).sorted()
            gone += sequences.prefix(max(0, sequences.count - kept))
            let last = sequences.dropLast(kept).last
            model.requeued.removeAll { letter in
                letter.sink == sink && last.map { letter.record.sequence <= $0 } ?? false
            }
        }
        if let last = (gone + [place].compactMap { $0 }).max() {
            let older = model.requeued.count { $0.record.sequence < last }
            note("letters put back that are older than what was dropped", older, is: 0)
        }
        return gone.count
    }
}

extension DeadLetter {
    /// Whether both say that one sink's receiver refused one record.
    fileprivate func isOfSameRecord(as other: DeadLetter) -> Bool {
        sink == other.sink && record.sequence == other.record.sequence
    }
}
