package import TrackEngine

/// A store as simple as it can be, which says what a real one should answer. Nothing here is fast or clever: each
/// question is answered by looking at everything.
package struct StoreModel {
    package var records: [TrackRecord] = []
    package var last = RecordSequence.zero
    package var cursors: [SinkID: RecordSequence] = [:]
    package var dead: [DeadLetter] = []
    package var requeued: [DeadLetter] = []
    package var checkpoints: [SourceID: SourceCheckpoint] = [:]
    package var dropped: Int64 = 0
    package var retention = RetentionConfiguration()
    package var sinks: Set<SinkID> = []
    /// When every sink had settled a record, noted while synced records are kept.
    private var settledAt: [RecordSequence: Timestamp] = [:]

    private func isSettled(_ record: TrackRecord) -> Bool {
        !sinks.isEmpty && sinks.allSatisfy { record.sequence <= cursors[$0] ?? .zero }
    }

    private mutating func noteSettled(at time: Timestamp) {
        guard retention.keepSyncedDays > 0 else { return }
        for record in records where isSettled(record) && settledAt[record.sequence] == nil {
            settledAt[record.sequence] = time
        }
    }

    package init() {}

    // MARK: - Calls

    package mutating func append(_ appended: [TrackRecord], checkpoint: SourceCheckpoint?) {
        records += appended
        last = appended.last?.sequence ?? last
        if let checkpoint { checkpoints[checkpoint.source] = checkpoint }
        _ = enforceMaximum()
    }

    package func batch(for sink: SinkID, limit: Int) -> PendingBatch? {
        let back = requeued.filter { $0.sink == sink }.map(\.record).sorted { $0.sequence < $1.sequence }
        let queue = records.filter { $0.sequence > cursors[sink] ?? .zero }
        let origin: PendingBatch.Origin = back.isEmpty ? .queue : .requeued
        let next = Array((back.isEmpty ? queue : back).prefix(limit))
        return next.isEmpty ? nil : PendingBatch(origin: origin, records: next)
    }

    package func backlog(of sink: SinkID) -> Backlog {
        let back = requeued.filter { $0.sink == sink }.map(\.record).sorted { $0.sequence < $1.sequence }
        let queue = records.filter { $0.sequence > cursors[sink] ?? .zero }
        let oldest = [back.first, queue.first].compactMap { $0?.fix.time }.min()
        return Backlog(count: back.count + queue.count, oldest: oldest, newest: queue.last ?? back.last)
    }

    package mutating func settle(_ settlement: Settlement, for sink: SinkID) {
        for record in settlement.records {
            switch settlement.origin {
            case .queue:
                guard record.sequence > cursors[sink] ?? .zero else { continue }
                cursors[sink] = record.sequence
                guard records.contains(record) else { continue }
            case .requeued:
                let before = requeued.count
                requeued.removeAll { $0.sink == sink && $0.record == record }
                guard requeued.count < before else { continue }
            }
            guard let reason = settlement.refused[record.id] else { continue }
            dead.append(DeadLetter(sink: sink, record: record, reason: reason, time: settlement.time))
        }
        noteSettled(at: settlement.time)
    }

    package mutating func requeue(_ selection: DeadLetterSelection) -> Int {
        requeued += dead.filter { selection.includes($0) }
        return drop(selection)
    }

    package mutating func drop(_ selection: DeadLetterSelection) -> Int {
        let before = dead.count
        dead.removeAll { selection.includes($0) }
        return before - dead.count
    }

    package mutating func clear() {
        (records, dead, requeued, checkpoints, settledAt) = ([], [], [], [:], [:])
    }

    // MARK: - Pruning

    package mutating func prune(now: Timestamp, isClockConfirmed: Bool = true) -> PruneReport {
        if isClockConfirmed { noteSettled(at: now) }
        let first = firstKept(now: now, isClockConfirmed: isClockConfirmed)
        var report = remove { record, _ in first.map { record.sequence < $0 } ?? true }
        let oldest = retention.oldestAllowed(now: now, newest: records.last?.fix.time)
        if isClockConfirmed {
            report += remove { record, _ in oldest.map { record.fix.time < $0 } ?? false }
            report += removeAgedLetters(now: now)
        } else if let oldest, let first = records.first {
            report += PruneReport(settled: 0, dropped: 0, keepsAged: first.fix.time < oldest)
        }
        report += enforceMaximum()
        let excess = max(0, dead.count - retention.maximumDeadLetters)
        dead.removeFirst(excess)
        dropped += Int64(excess)
        report += PruneReport(settled: 0, dropped: excess)
        return report
    }

    /// The first record that some sink has not settled, or that was settled less than `keepSyncedDays` ago by a clock that
    /// is confirmed. What is settled goes in the order of acceptance.
    private func firstKept(now: Timestamp, isClockConfirmed: Bool) -> RecordSequence? {
        let due = now.advanced(by: .seconds(-86_400 * retention.keepSyncedDays))
        return records.first { record in
            if !isSettled(record) { return true }
            if retention.keepSyncedDays == 0 { return false }
            return !isClockConfirmed || (settledAt[record.sequence] ?? now) > due
        }?.sequence
    }

    private mutating func removeAgedLetters(now: Timestamp) -> PruneReport {
        let before = dead.count
        if let oldest = retention.oldestAllowed(now: now, newest: dead.last?.time) {
            dead.removeAll { $0.time < oldest }
        }
        dropped += Int64(before - dead.count)
        return PruneReport(settled: 0, dropped: before - dead.count)
    }

    private mutating func enforceMaximum() -> PruneReport {
        let excess = retention.maxRecords > 0 ? max(0, records.count - retention.maxRecords) : 0
        let surplus = Set(records.prefix(excess).map(\.sequence))
        return remove { record, _ in surplus.contains(record.sequence) }
    }

    private mutating func remove(where isUnwanted: (TrackRecord, StoreModel) -> Bool) -> PruneReport {
        let unwanted = records.filter { isUnwanted($0, self) }
        let settled = unwanted.filter(isSettled).count
        let places = Set(unwanted.map(\.sequence))
        records.removeAll { places.contains($0.sequence) }
        let lost = unwanted.count - settled
        dropped += Int64(lost)
        return PruneReport(settled: settled, dropped: lost)
    }
}
