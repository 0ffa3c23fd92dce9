import Logging
import SQLiteAccess
import TrackEngine

/// The append of one caller.
struct AppendRequest: Sendable {
    let drafts: [RecordDraft]
    let checkpoint: SourceCheckpoint?
}

extension StoreEngine {
    /// Performs the appends of several callers, in order and in one commit; makes room if the quota is full.
    func append(_ requests: [AppendRequest]) throws(StoreError) -> [[TrackRecord]] {
        let total = requests.reduce(0) { $0 + $1.drafts.count }
        try refuseIfRemoved()
        try extendLedger(by: total)
        while true {
            do throws(StoreError) {
                let records = try writeNew { db, counters in try insert(requests, in: db, &counters) }
                try refuseIfRemoved()
                return records
            } catch {
                if error.code == .full, try makeRoom(for: total) { continue }
                trouble = error
                throw error
            }
        }
    }

    private func insert(
        _ requests: [AppendRequest], in db: Database, _ counters: inout StoreCounts
    ) throws -> [[TrackRecord]] {
        var appended: [[TrackRecord]] = []
        for request in requests { appended.append(try insert(request, in: db, &counters)) }
        if counters.last - counters.durable.sourcesThrough >= SourceStateTable.step { try counters.saveSources(in: db) }
        _ = try enforceMaximum(in: db, &counters)
        return appended
    }

    private func insert(
        _ request: AppendRequest, in db: Database, _ counters: inout StoreCounts
    ) throws -> [TrackRecord] {
        let closing = Self.closing(request)
        let state = closing?.state
        var insertion = RecordInsertion(db, seal)
        try insertion.insert(request.drafts, closing: closing, after: counters.last)
        let records = request.drafts.map { draft in
            counters.noteNext(fixTime: draft.fix.time)
            counters.sources.note(draft, nil)
            return TrackRecord(sequence: RecordSequence(rawValue: counters.last), draft: draft)
        }
        if let checkpoint = request.checkpoint {
            counters.sources.note(checkpoint)
            if state == nil { try counters.saveSources(in: db) }  // no record of this append holds the state
        }
        return records
    }

    /// The state of a checkpoint, and the index of the draft that stores it: the last position, which the checkpoint
    /// describes. Events may follow it. `nil` if the checkpoint describes an earlier record.
    private static func closing(_ request: AppendRequest) -> (place: Int, state: PipelineState)? {
        guard let checkpoint = request.checkpoint,
            let place = request.drafts.lastIndex(where: { $0.kind == .location }),
            request.drafts[place] == checkpoint.last, request.drafts[place].source == checkpoint.source
        else { return nil }
        return (place, PipelineState(checkpoint))
    }

    func records(after sequence: RecordSequence, limit: Int) throws(StoreError) -> [TrackRecord] {
        guard limit > 0 else { return [] }
        return try readSettingAside(.record) { db in
            try RecordTable(db, seal).records(after: sequence.rawValue, limit: limit)
        }
    }

    /// The records of some kinds after a sequence number, up to and including another.
    func records(
        after sequence: RecordSequence, through end: RecordSequence, kinds: RecordKinds
    ) throws(StoreError) -> [TrackRecord] {
        try readSettingAside(.record) { db in
            try RecordTable(db, seal).records(after: sequence.rawValue, through: end.rawValue, kinds: kinds)
        }
    }

    /// Reads, and sets damaged rows aside, until all rows that it reads are sound; each round removes the damage of
    /// the previous.
    func readSettingAside<Value>(
        _ origin: DamagedTable.Origin, _ body: (Database) throws -> Reading<Value>
    ) throws(StoreError) -> [Value] {
        while true {
            let reading = try read(body)
            let opening = openings
            if reading.damaged.isEmpty { return reading.sound }
            logger.error(
                "damaged rows set aside",
                metadata: [
                    "count": "\(reading.damaged.count)", "table": "\(origin)", "rows": "\(reading.damaged.prefix(20))",
                ])
            try write(.durable) { db, counters in
                let count = try DamagedTable(db).take(reading.damaged, from: origin)
                // A row that can be read but not found again: the table's tree is damaged, not only the row. After a
                // repair the row is removed, and the read is repeated.
                guard count > 0 || opening != openings else { throw DatabaseError(.corrupt) }
                counters.durable.damaged += Int64(count)
                guard origin == .record else { return }
                counters.count -= count
                try counters.saveSources(removingThrough: reading.damaged.max() ?? 0, in: db)
            }
        }
    }
}

// MARK: - Delivery

extension StoreEngine {
    func nextBatch(for sink: SinkID, limit: Int) throws(StoreError) -> PendingBatch? {
        guard limit > 0 else { return nil }
        let back = try readSettingAside(.dead) { db in try DeadLetterTable(db, seal).requeued(for: sink, limit: limit) }
        if !back.isEmpty { return PendingBatch(origin: .requeued, records: back) }
        let next = try nextRecords(for: sink, limit: limit)
        return next.isEmpty ? nil : PendingBatch(origin: .queue, records: next)
    }

    /// A settlement without refusals may be lost in a power cut: then the sink's records are delivered again, under
    /// the same ids. A refusal is listed permanently, so it is synchronised to the disk. That is at most one fsync for
    /// each record.
    func settle(_ settlement: Settlement, for sink: SinkID) throws(StoreError) {
        while true {
            do throws(StoreError) {
                return try write(settlement.refused.isEmpty ? .relaxed : .durable) { db, counters in
                    switch settlement.origin {
                    case .queue: try settleQueue(settlement, for: sink, in: db, upTo: counters.last)
                    case .requeued: try settleRequeued(settlement, for: sink, in: db)
                    }
                }
            } catch {
                // Dead letters need room too; a batch whose settlement never succeeds would be delivered again and
                // again.
                guard error.code == .full, try makeRoom(for: settlement.refused.count) else { throw error }
            }
        }
    }

    private func settleQueue(_ settlement: Settlement, for sink: SinkID, in db: Database, upTo last: Int64) throws {
        let cursors = SinkTable(db)
        let cursor = try cursors.cursor(of: sink)
        for record in settlement.records where record.sequence.rawValue > cursor {
            guard let reason = settlement.refused[record.id] else { continue }
            try DeadLetterTable(db, seal).add(record.sequence, for: sink, reason: reason, at: settlement.time)
        }
        guard let end = settlement.records.map(\.sequence.rawValue).max(), end > cursor else { return }
        try cursors.setCursor(of: sink, to: min(end, last))
        try noteMilestone(at: settlement.time, in: db)
    }

    private func settleRequeued(_ settlement: Settlement, for sink: SinkID, in db: Database) throws {
        let letters = DeadLetterTable(db, seal)
        for record in settlement.records {
            if let reason = settlement.refused[record.id] {
                try letters.refuse(record.sequence, for: sink, reason: reason, at: settlement.time)
            } else {
                try letters.settle(record.sequence, for: sink)
            }
        }
    }

    func backlog(of sink: SinkID) throws(StoreError) -> Backlog {
        let back = try readSettingAside(.dead) { db in try DeadLetterTable(db, seal).requeued(for: sink, limit: 1) }
        let first = try readSettingAside(.record) { db in
            try RecordTable(db, seal).records(after: SinkTable(db).cursor(of: sink), limit: 1)
        }
        let newest = try readSettingAside(.record) { db in
            try RecordTable(db, seal).newest(after: SinkTable(db).cursor(of: sink))
        }
        let counts = try read { db in
            (
                try DeadLetterTable(db, seal).requeuedCount(for: sink),
                try waiting(after: SinkTable(db).cursor(of: sink), in: db)
            )
        }
        let newestRequeued = newest.isEmpty ? try newestRequeued(for: sink, count: counts.0) : nil
        return Backlog(
            count: counts.0 + counts.1,
            oldest: [back.first, first.first].compactMap { $0?.fix.time }.min(),
            newest: newest.last ?? newestRequeued)
    }

    private func newestRequeued(for sink: SinkID, count: Int) throws(StoreError) -> TrackRecord? {
        guard count > 0 else { return nil }
        return try readSettingAside(.dead) { db in try DeadLetterTable(db, seal).requeued(for: sink, limit: count) }
            .last
    }

    /// The number of records after a sequence number. It avoids counting up to a million rows: usually there are no
    /// gaps, and if there are, the settled side is shorter.
    private func waiting(after cursor: Int64, in db: Database) throws -> Int {
        let table = RecordTable(db)
        guard let first = try table.first(), let last = try table.newest()?.sequence else { return 0 }
        if last - first + 1 == Int64(counters.count) { return Int(last - min(max(cursor, first - 1), last)) }
        return counters.count - (try table.count(after: 0, through: cursor))
    }
}
