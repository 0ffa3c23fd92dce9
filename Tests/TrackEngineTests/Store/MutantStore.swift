import Synchronization
import TrackEngine

/// A store with one fault, to show that the laws notice it.
struct MutantStore: FixStore {
    enum Fault: String, CaseIterable {
        case forgetsARecord, acknowledgesBeforeKeeping, reordersARead, reusesNumbers, repeatsNothing
        case settlesMoreThanAsked, settlesForAllSinks, forgetsSettlements, losesDeadLetters
        case mixesRequeuedWithOthers, requeuesForEverySink, prunesAheadOfSlowSinks, countsNoDrops
        case keepsStaleCheckpoints, answersOnceClosed, believesAnyClock, ignoresMaxRecords
        case believesAnUnconfirmedClock, forgetsAges, boundsNoDeadLetters, keepsDeadLettersInsteadOfRecords
    }

    let fault: Fault
    let base = InMemoryFixStore()
    let memory = Memory()

    final class Memory: Sendable {
        let late = Mutex<[RecordDraft]>([])
        let delivered = Mutex<Set<RecordID>>([])
        let sinks = Mutex<Set<SinkID>>([])
    }

    func append(_ drafts: [RecordDraft], checkpoint: SourceCheckpoint?) async throws(StoreError) -> [TrackRecord] {
        switch fault {
        case .forgetsARecord where drafts.count > 3:
            let kept = try await base.append(Array(drafts.dropLast()), checkpoint: checkpoint)
            return kept + drafts.suffix(1).map { TrackRecord(sequence: next(after: kept.last), draft: $0) }
        case .acknowledgesBeforeKeeping:
            let due = memory.late.withLock { late in
                defer { late = drafts }
                return late
            }
            let last = try await base.append(due, checkpoint: checkpoint).last
            var sequence = last?.sequence.rawValue ?? 0
            return drafts.map { draft in
                sequence += 1
                return TrackRecord(sequence: RecordSequence(rawValue: sequence), draft: draft)
            }
        case .reusesNumbers:
            return try await base.append(drafts, checkpoint: checkpoint).map { record in
                TrackRecord(
                    sequence: RecordSequence(rawValue: (record.sequence.rawValue - 1) % 4 + 1), draft: record.draft)
            }
        case .keepsStaleCheckpoints:
            let known = try await base.checkpoints().contains { $0.source == checkpoint?.source }
            return try await base.append(drafts, checkpoint: known ? nil : checkpoint)
        default: return try await base.append(drafts, checkpoint: checkpoint)
        }
    }

    private func next(after record: TrackRecord?) -> RecordSequence {
        RecordSequence(rawValue: (record?.sequence.rawValue ?? 0) + 1)
    }

    func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord] {
        let records = try await base.records(after: sequence, limit: limit)
        return fault == .reordersARead ? records.reversed() : records
    }

    func checkpoints() async throws(StoreError) -> [SourceCheckpoint] { try await base.checkpoints() }
    func forgetCheckpoints() async throws(StoreError) { try await base.forgetCheckpoints() }

    func nextBatch(for sink: SinkID, limit: Int) async throws(StoreError) -> PendingBatch? {
        guard let batch = try await base.nextBatch(for: sink, limit: limit) else { return nil }
        switch fault {
        case .repeatsNothing:
            let fresh = memory.delivered.withLock { delivered in
                batch.records.filter { delivered.insert($0.id).inserted }
            }
            return fresh.isEmpty ? nil : PendingBatch(origin: batch.origin, records: fresh)
        case .mixesRequeuedWithOthers where batch.origin == .requeued:
            let others = try await base.records(after: batch.records.last?.sequence ?? .zero, limit: 1)
            return PendingBatch(origin: .requeued, records: batch.records + others)
        default: return batch
        }
    }

    func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError) {
        switch fault {
        case .settlesMoreThanAsked:
            let more = try await base.records(after: settlement.records.last?.sequence ?? .zero, limit: 1)
            let records = settlement.records + more
            try await base.settle(
                Settlement(
                    origin: settlement.origin, records: records, refused: settlement.refused, time: settlement.time),
                for: sink)
        case .settlesForAllSinks:
            for sink in ["a", "b"] as [SinkID] { try await base.settle(settlement, for: sink) }
        case .forgetsSettlements where settlement.records.count > 2: return
        case .losesDeadLetters:
            let all = Settlement(origin: settlement.origin, records: settlement.records, time: settlement.time)
            try await base.settle(all, for: sink)
        default: try await base.settle(settlement, for: sink)
        }
    }

    func backlog(of sink: SinkID) async throws(StoreError) -> Backlog { try await base.backlog(of: sink) }

    func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter] {
        try await base.deadLetters(of: sink)
    }

    func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        let meant = fault == .requeuesForEverySink ? DeadLetterSelection() : selection
        return try await base.requeueDeadLetters(meant)
    }

    func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try await base.dropDeadLetters(selection)
    }

    func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) async throws(StoreError) {
        var retention = retention
        switch fault {
        case .ignoresMaxRecords: retention.maxRecords = 0
        case .forgetsAges: retention.maxDaysToPersist = 0
        case .boundsNoDeadLetters where retention.maxRecords == 0: retention.maxRecords = 1_000_000
        case .keepsDeadLettersInsteadOfRecords where retention.maxBytes > 0:
            (retention.maxBytes, retention.maxRecords) = (0, Int(retention.maxBytes) / 400)
        default: break
        }
        let heeded = fault == .prunesAheadOfSlowSinks ? sinks.filter { $0 != "b" } : sinks
        try await base.configure(retention, sinks: heeded)
    }

    func prune(now: Timestamp, isClockConfirmed: Bool) async throws(StoreError) -> PruneReport {
        let believes = isClockConfirmed || fault == .believesAnUnconfirmedClock
        let report = try await base.prune(now: now, isClockConfirmed: believes)
        guard fault == .believesAnyClock, now > StoreMaterialLimit.farAhead else { return report }
        try await base.clear()
        return report
    }

    func status() async throws(StoreError) -> StoreStatus {
        let status = try await base.status()
        guard fault == .countsNoDrops else { return status }
        return StoreStatus(
            count: status.count, lastSequence: status.lastSequence, bytes: status.bytes, dropped: 0,
            deadLetters: status.deadLetters, warning: nil)
    }

    func clear() async throws(StoreError) { try await base.clear() }
    func close() async { if fault != .answersOnceClosed { await base.close() } }
}

private enum StoreMaterialLimit {
    static let farAhead = Timestamp(secondsSince1970: 2_000_000_000)
}
