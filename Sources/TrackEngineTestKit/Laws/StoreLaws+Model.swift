import TrackEngine

extension StoreLaws {
    /// Plays random calls on a store and on the model, and compares all answers after each.
    func modelViolations() async throws -> [LawViolation] {
        for seed in seeds {
            var play = StorePlay(store: try await make(), reopen: reopen, seed: seed)
            try await play.run(steps: 60)
            await play.store.close()
            // The first difference says all; later ones only follow from it.
            if !play.witness.violations.isEmpty { return play.witness.violations }
        }
        return []
    }
}

/// One random sequence of calls.
private struct StorePlay {
    private enum Move: CaseIterable {
        case append, appendMore, settle, settlePart, settleLate, prune, requeue, drop, configure, reopen, clear
        case forget, wait
    }

    private static let sinks: [SinkID] = ["a", "b"]

    var store: any FixStore
    let reopen: StoreLaws.Reopen?
    let seed: UInt64
    var witness = LawWitness(.agreesWithTheModel)
    private var model = StoreModel()
    private var random: SplitMix64
    private var moves: [String] = []
    private var number = 0
    private var now = StoreMaterial.start
    private var lastSettlement: (Settlement, SinkID)?

    init(store: any FixStore, reopen: StoreLaws.Reopen?, seed: UInt64) {
        self.store = store
        self.reopen = reopen
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    mutating func run(steps: Int) async throws {
        try await configure()
        for _ in 0..<steps where witness.violations.isEmpty {
            let move = Move.allCases.randomElement(using: &random) ?? .append
            moves.append("\(move)")
            do {
                try await make(move)
                try await compare()
            } catch let error as StoreError {
                note(false, "threw", "\(error)")
            }
        }
    }

    private mutating func note(_ isKept: Bool, _ what: String, _ seen: String) {
        if isKept { return }
        let trail = moves.suffix(12).joined(separator: ", ")
        let place = "seed \(seed), step \(moves.count) (… \(trail))"
        witness.expect(false, "\(place): \(what): \(seen)")
    }

    private mutating func note<Value: Equatable>(_ what: String, _ seen: Value, is expected: Value) {
        if seen == expected { return }  // before any value is made into text
        note(false, what, "expected \(expected), saw \(seen)")
    }

    // MARK: - Moves

    private mutating func make(_ move: Move) async throws {
        switch move {
        case .append: try await append(1)
        case .appendMore: try await append(Int.random(in: 2...9, using: &random))
        case .settle: try await settle(wholly: true)
        case .settlePart: try await settle(wholly: false)
        case .settleLate: try await settleLate()
        case .prune: try await prune()
        case .requeue: try await requeue()
        case .drop: try await drop()
        case .configure: try await configure()
        case .reopen: try await openAgain()
        case .clear: try await clear()
        case .forget: try await forget()
        case .wait: now = now.advanced(by: .seconds(Int.random(in: -30_000...60_000, using: &random)))
        }
    }

    private mutating func prune() async throws {
        let isConfirmed = Int.random(in: 0..<4, using: &random) > 0
        let report = try await store.prune(now: now, isClockConfirmed: isConfirmed)
        note("pruned", report, is: model.prune(now: now, isClockConfirmed: isConfirmed))
    }

    private mutating func append(_ count: Int) async throws {
        var drafts: [RecordDraft] = []
        for _ in 0..<count {
            number += 1
            let age = Int.random(in: 0...200_000, using: &random)
            drafts.append(StoreMaterial.draft(number, time: now.advanced(by: .seconds(-age))))
        }
        let checkpoint = Bool.random(using: &random) ? StoreMaterial.checkpoint(number) : nil
        let records = try await store.append(drafts, checkpoint: checkpoint)
        note("appended", records.map(\.draft), is: drafts)
        let grows = zip([model.last] + records.map(\.sequence), records.map(\.sequence)).allSatisfy { $0 < $1 }
        note(grows, "numbers", "\(records.map(\.sequence)) after \(model.last)")
        model.append(records, checkpoint: checkpoint)
    }

    private mutating func settle(wholly: Bool) async throws {
        let sink = Self.sinks.randomElement(using: &random) ?? "a"
        let limit = Int.random(in: 1...6, using: &random)
        guard let batch = try await store.nextBatch(for: sink, limit: limit) else { return }
        let count = wholly ? batch.records.count : Int.random(in: 0...batch.records.count, using: &random)
        let settled = Array(batch.records.prefix(count))
        var refused: [RecordID: String] = [:]
        for record in settled where Int.random(in: 0..<4, using: &random) == 0 { refused[record.id] = "no" }
        let settlement = Settlement(origin: batch.origin, records: settled, refused: refused, time: now)
        try await store.settle(settlement, for: sink)
        model.settle(settlement, for: sink)
        lastSettlement = (settlement, sink)
    }

    /// A settlement that comes again, or late, when its records may be gone.
    private mutating func settleLate() async throws {
        guard let (settlement, sink) = lastSettlement, settlement.origin == .queue else { return }
        try await store.settle(settlement, for: sink)
        model.settle(settlement, for: sink)
    }

    private mutating func selection() -> DeadLetterSelection {
        let sink = Bool.random(using: &random) ? Self.sinks.randomElement(using: &random) : nil
        let record = Bool.random(using: &random) ? model.dead.randomElement(using: &random)?.record.id : nil
        return DeadLetterSelection(sink: sink, record: record)
    }

    private mutating func requeue() async throws {
        let selection = selection()
        note("requeued", try await store.requeueDeadLetters(selection), is: model.requeue(selection))
    }

    private mutating func drop() async throws {
        let selection = selection()
        note("dropped letters", try await store.dropDeadLetters(selection), is: model.drop(selection))
    }

    private mutating func configure() async throws {
        let retention = RetentionConfiguration(
            maxDaysToPersist: [0, 1, 2].randomElement(using: &random) ?? 0,
            maxRecords: [0, 0, 12].randomElement(using: &random) ?? 0,
            keepSyncedDays: [0, 0, 1].randomElement(using: &random) ?? 0)
        let sinks: Set<SinkID> = [["a", "b"], ["a", "b"], ["a"], []].randomElement(using: &random) ?? []
        try await configure(retention, sinks: sinks)
    }

    private mutating func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) async throws {
        try await store.configure(retention, sinks: sinks)
        (model.retention, model.sinks) = (retention, sinks)
        note("pruned", try await store.prune(now: now), is: model.prune(now: now))
    }

    private mutating func openAgain() async throws {
        guard let reopen else { return }
        store = try await reopen(store)
        try await store.configure(model.retention, sinks: model.sinks)
    }

    private mutating func clear() async throws {
        guard Int.random(in: 0..<4, using: &random) == 0 else { return }
        try await store.clear()
        model.clear()
    }

    private mutating func forget() async throws {
        try await store.forgetCheckpoints()
        model.checkpoints = [:]
    }

    // MARK: - Comparison

    private mutating func compare() async throws {
        note("records", try await store.allRecords(page: 7), is: model.records)
        let status = try await store.status()
        note("count", status.count, is: model.records.count)
        note("last number", status.lastSequence, is: model.last)
        note("drops", status.dropped, is: model.dropped)
        note("number of dead letters", status.deadLetters, is: model.dead.count)
        note("dead letters", try await store.deadLetters(of: nil), is: model.dead)
        note("checkpoints", Set(try await store.checkpoints()), is: Set(model.checkpoints.values))
        for sink in Self.sinks {
            let batch = try await store.nextBatch(for: sink, limit: 4)
            note("batch of \(sink)", batch, is: model.batch(for: sink, limit: 4))
            note("backlog of \(sink)", try await store.backlog(of: sink), is: model.backlog(of: sink))
        }
    }
}

/// A small generator whose sequence depends on its seed only (Steele, Lea, Flood 2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
