/// The contents of an ``InMemoryFixStore``, as a plain value: every step is complete or has no effect.
struct InMemoryStoreState {
    /// The last sequence number that every sink had settled at a time; kept while `keepSyncedDays` requires it.
    struct Milestone {
        let sequence: RecordSequence
        let time: Timestamp
    }

    let capacity: Int
    var records = RecordQueue()
    var checkpoints: [SourceID: SourceCheckpoint] = [:]
    private(set) var odometers: [SourceID: Double] = [:]
    private(set) var detectorStates: [SourceID: [UInt8]] = [:]
    var retention = RetentionConfiguration()
    var sinks: Set<SinkID> = []
    /// Dead letters in the order of their refusal.
    var dead: [DeadLetter] = []

    private var lastSequence = RecordSequence.zero
    private var cursors: [SinkID: RecordSequence] = [:]
    /// Dead letters that were put back and that their sink has not settled again.
    private var requeued: [DeadLetter] = []
    private var milestones: [Milestone] = []
    private var dropped: Int64 = 0

    init(capacity: Int) { self.capacity = capacity }

    /// The estimated size of one record.
    private static let bytesPerRecord = Int64(MemoryLayout<TrackRecord>.stride + 64)

    private func cursor(of sink: SinkID) -> RecordSequence { cursors[sink] ?? .zero }

    /// The last sequence number that every enabled sink has settled; zero while there is no sink.
    private var settledByAll: RecordSequence { sinks.map { cursor(of: $0) }.min() ?? .zero }

    /// The number of the oldest records that every enabled sink has settled.
    private var settledCount: Int { records.count - records.after(settledByAll).count }

    private var limit: Int { retention.maxRecords > 0 ? min(capacity, retention.maxRecords) : capacity }

    /// The number of records and dead letters together that exceed the quota of bytes.
    private var surplus: Int {
        guard retention.maxBytes > 0 else { return 0 }
        return max(0, records.count + dead.count + requeued.count - Int(retention.maxBytes / Self.bytesPerRecord))
    }
}

// MARK: - Records

extension InMemoryStoreState {
    mutating func append(_ drafts: [RecordDraft], checkpoint: SourceCheckpoint?) -> [TrackRecord] {
        var appended: [TrackRecord] = []
        appended.reserveCapacity(drafts.count)
        for draft in drafts {
            lastSequence = RecordSequence(rawValue: lastSequence.rawValue + 1)
            appended.append(TrackRecord(sequence: lastSequence, draft: draft))
        }
        records.append(contentsOf: appended)
        noteOdometers(drafts)
        if let checkpoint {
            checkpoints[checkpoint.source] = checkpoint
            if !checkpoint.detectorState.isEmpty { detectorStates[checkpoint.source] = checkpoint.detectorState }
        }
        _ = enforceLimits()
        return appended
    }

    private mutating func noteOdometers(_ drafts: [RecordDraft]) {
        var latest: (source: SourceID, metres: Double)?
        for draft in drafts {
            guard let metres = draft.odometer else { continue }
            if let latest, latest.source != draft.source { odometers[latest.source] = latest.metres }
            latest = (draft.source, metres)
        }
        if let latest { odometers[latest.source] = latest.metres }
    }

    /// Enforces the limits of count and bytes. For the quota of bytes, dead letters are removed first, then records
    /// that every sink has settled. Dead letters that were put back are removed together with the records of their age.
    private mutating func enforceLimits() -> PruneReport {
        var report = dropOldest(records.count - limit)
        report += dropOldestLetters(min(surplus, dead.count))
        if surplus > 0 { report += dropOldest(min(surplus, settledCount)) }
        report += dropOldestRequeued(surplus)
        report += dropOldest(surplus)
        return report
    }

    private mutating func dropOldestRequeued(_ count: Int) -> PruneReport {
        guard count > 0, !requeued.isEmpty else { return PruneReport(settled: 0, dropped: 0) }
        let end = records.all.prefix(count).last?.sequence
        let oldest = requeued.indices
            .filter { index in end.map { requeued[index].record.sequence <= $0 } ?? true }
            .sorted { requeued[$0].record.sequence < requeued[$1].record.sequence }
            .prefix(count)
        let gone = Set(oldest)
        requeued = requeued.indices.filter { !gone.contains($0) }.map { requeued[$0] }
        dropped += Int64(gone.count)
        return PruneReport(settled: 0, dropped: gone.count)
    }

    private mutating func dropOldest(_ count: Int) -> PruneReport {
        let excess = min(count, records.count)
        guard excess > 0 else { return PruneReport(settled: 0, dropped: 0) }
        let settled = settledByAll
        let undelivered = records.all.prefix(excess).count { $0.sequence > settled }
        records.removeFirst(excess)
        dropped += Int64(undelivered)
        return PruneReport(settled: excess - undelivered, dropped: undelivered)
    }

    mutating func clear() {
        records.removeAll()
        checkpoints = [:]
        detectorStates = [:]
        dead = []
        requeued = []
        milestones = []
    }

    var status: StoreStatus {
        StoreStatus(
            count: records.count, lastSequence: lastSequence,
            bytes: Int64(records.count + dead.count + requeued.count) * Self.bytesPerRecord,
            dropped: dropped, deadLetters: dead.count, warning: nil)
    }
}

// MARK: - Delivery

extension InMemoryStoreState {
    func nextBatch(for sink: SinkID, limit: Int) -> PendingBatch? {
        guard limit > 0 else { return nil }
        let back = waiting(for: sink)
        if !back.isEmpty { return PendingBatch(origin: .requeued, records: Array(back.prefix(limit))) }
        let next = records.after(cursor(of: sink)).prefix(limit)
        return next.isEmpty ? nil : PendingBatch(origin: .queue, records: Array(next))
    }

    private func waiting(for sink: SinkID) -> [TrackRecord] {
        requeued.filter { $0.sink == sink }.map(\.record).sorted { $0.sequence < $1.sequence }
    }

    mutating func settle(_ settlement: Settlement, for sink: SinkID) {
        switch settlement.origin {
        case .queue: settleQueue(settlement, for: sink)
        case .requeued: settleRequeued(settlement, for: sink)
        }
    }

    private mutating func settleQueue(_ settlement: Settlement, for sink: SinkID) {
        let cursor = cursor(of: sink)
        for record in settlement.records where record.sequence > cursor {
            guard let reason = settlement.refused[record.id], let stored = records[record.sequence] else { continue }
            dead.append(DeadLetter(sink: sink, record: stored, reason: reason, time: settlement.time))
        }
        guard let last = settlement.records.map(\.sequence).max(), last > cursor else { return }
        cursors[sink] = min(last, lastSequence)
        noteMilestone(at: settlement.time)
    }

    private mutating func settleRequeued(_ settlement: Settlement, for sink: SinkID) {
        for record in settlement.records {
            let place = requeued.firstIndex { $0.sink == sink && $0.record.sequence == record.sequence }
            guard let place else { continue }
            let letter = requeued.remove(at: place)
            guard let reason = settlement.refused[record.id] else { continue }
            dead.append(DeadLetter(sink: sink, record: letter.record, reason: reason, time: settlement.time))
        }
    }

    func backlog(of sink: SinkID) -> Backlog {
        let back = waiting(for: sink)
        let queue = records.after(cursor(of: sink))
        return Backlog(
            count: back.count + queue.count,
            oldest: [back.first, queue.first].compactMap { $0?.fix.time }.min(),
            newest: queue.last ?? back.last)
    }
}

// MARK: - Dead letters

extension InMemoryStoreState {
    mutating func requeue(_ selection: DeadLetterSelection) -> Int {
        requeued += dead.filter { selection.includes($0) }
        return dropDead(selection)
    }

    mutating func dropDead(_ selection: DeadLetterSelection) -> Int {
        let before = dead.count
        dead.removeAll { selection.includes($0) }
        return before - dead.count
    }
}

extension DeadLetterSelection {
    /// Whether the selection includes a dead letter.
    package func includes(_ letter: DeadLetter) -> Bool {
        (sink == nil || sink == letter.sink) && (record == nil || record == letter.record.id)
    }
}

// MARK: - Pruning

extension InMemoryStoreState {
    private mutating func noteMilestone(at time: Timestamp) {
        guard retention.keepSyncedDays > 0 else { return }
        let settled = settledByAll
        guard settled > milestones.last?.sequence ?? .zero else { return }
        milestones.append(Milestone(sequence: settled, time: time))
    }

    mutating func prune(now: Timestamp, isClockConfirmed: Bool) -> PruneReport {
        var report = removeSettled(now: now, isClockConfirmed: isClockConfirmed)
        report += removeAged(now: now, isClockConfirmed: isClockConfirmed)
        if isClockConfirmed { report += removeAgedLetters(now: now) }
        report += enforceLimits()
        report += dropOldestLetters(dead.count - min(limit, retention.maximumDeadLetters))
        return report
    }

    private mutating func removeSettled(now: Timestamp, isClockConfirmed: Bool) -> PruneReport {
        var report = PruneReport(settled: 0, dropped: 0)
        if retention.keepSyncedDays > 0 && !isClockConfirmed { return report }
        noteMilestone(at: now)
        while let first = records.all.first?.sequence {
            let end = removableEnd(from: first, now: now)
            guard first <= end else { break }
            let count = records.count - records.after(end).count
            records.removeFirst(count)
            milestones.removeAll { $0.sequence < end }
            report += PruneReport(settled: count, dropped: 0)
        }
        return report
    }

    /// Returns the last sequence number that every sink has settled long enough ago. After a clock has gone back, a
    /// later delivery may look older than an earlier one; records are removed in their order.
    private func removableEnd(from first: RecordSequence, now: Timestamp) -> RecordSequence {
        guard retention.keepSyncedDays > 0 else { return settledByAll }
        let due = now.advanced(by: .zero - .days(retention.keepSyncedDays))
        let later = milestones.first { $0.time > due && $0.sequence >= first }?.sequence
        let place = milestones.last { milestone in later.map { milestone.sequence < $0 } ?? true }
        return min(settledByAll, place?.sequence ?? .zero)
    }

    private mutating func removeAged(now: Timestamp, isClockConfirmed: Bool) -> PruneReport {
        guard let oldest = retention.oldestAllowed(now: now, newest: records.last?.fix.time) else {
            return PruneReport(settled: 0, dropped: 0)
        }
        guard isClockConfirmed else {
            let isAged = records.all.first.map { $0.fix.time < oldest } ?? false
            return PruneReport(settled: 0, dropped: 0, keepsAged: isAged)
        }
        let settled = settledByAll
        let before = records.count
        let undelivered = records.all.count { $0.fix.time < oldest && $0.sequence > settled }
        if records.all.contains(where: { $0.fix.time < oldest }) { records.removeAll { $0.fix.time < oldest } }
        dropped += Int64(undelivered)
        return PruneReport(settled: before - records.count - undelivered, dropped: undelivered)
    }

    private mutating func removeAgedLetters(now: Timestamp) -> PruneReport {
        guard let oldest = retention.oldestAllowed(now: now, newest: dead.last?.time) else {
            return PruneReport(settled: 0, dropped: 0)
        }
        let before = dead.count
        dead.removeAll { $0.time < oldest }
        dropped += Int64(before - dead.count)
        return PruneReport(settled: 0, dropped: before - dead.count)
    }

    private mutating func dropOldestLetters(_ count: Int) -> PruneReport {
        guard count > 0 else { return PruneReport(settled: 0, dropped: 0) }
        dead.removeFirst(count)
        dropped += Int64(count)
        return PruneReport(settled: 0, dropped: count)
    }
}
