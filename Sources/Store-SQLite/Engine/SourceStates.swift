import GRDB
import TrackEngine

/// Where each source's pipeline and odometer stand, as of the last record.
///
/// The newest records say so themselves: each has its odometer's reading, and the last of an append its pipeline's
/// state. The tables are only written when those records are about to be removed, and once in a thousand records, so
/// that an append writes one page and opening a store reads few records.
struct SourceStates {
    private(set) var checkpoints: [SourceID: SourceCheckpoint] = [:]
    private(set) var odometers: [SourceID: Double] = [:]
    /// Checkpoints that are forgotten but for what the event detectors knew.
    private(set) var forgotten: [SourceID: SourceCheckpoint] = [:]

    /// After how many records the tables are written again.
    static let step: Int64 = 1_000

    mutating func note(_ draft: RecordDraft, _ state: PipelineState?) {
        if let metres = draft.odometer { odometers[draft.source] = metres }
        if let state { note(state.checkpoint(of: draft)) }
    }

    mutating func note(_ checkpoint: SourceCheckpoint, isForgotten: Bool = false) {
        if isForgotten {
            forgotten[checkpoint.source] = checkpoint
        } else {
            checkpoints[checkpoint.source] = checkpoint
            if !checkpoint.detectorState.isEmpty { forgotten[checkpoint.source] = nil }
        }
    }

    /// Forgets where the pipelines stood.
    mutating func forgetCheckpoints() {
        for (source, checkpoint) in checkpoints where !checkpoint.detectorState.isEmpty {
            forgotten[source] = checkpoint
        }
        checkpoints = [:]
    }

    /// Forgets where the pipelines stood and what the detectors knew.
    mutating func forgetPlaces() { (checkpoints, forgotten) = ([:], [:]) }

    /// What the event detectors knew last.
    var detectorStates: [SourceID: [UInt8]] {
        forgotten.mapValues(\.detectorState)
            .merging(checkpoints.mapValues(\.detectorState).filter { !$0.value.isEmpty }) { $1 }
    }

    /// Reads the tables, and after them the records that came since they were written.
    init(_ db: Database, savedThrough sequence: Int64, _ seal: RowSeal?) throws {
        if let seal {
            self = try SealedTable(db).sources(seal)
        } else {
            for (checkpoint, isForgotten) in try CheckpointTable(db).all() {
                note(checkpoint, isForgotten: isForgotten)
            }
            odometers = try OdometerTable(db).all()
        }
        var last = sequence
        while true {
            let rows = try RecordTable(db).rows(after: last, limit: Int(Self.step))
            guard let newest = rows.last, newest.sequence > last else { return }
            last = newest.sequence
            for row in rows { if let (draft, state) = row.opened(seal)?.contents { note(draft, state) } }
        }
    }

    /// No source has said anything yet.
    init() {}

    mutating func note(odometer metres: Double, of source: SourceID) { odometers[source] = metres }

    func save(in db: Database, _ seal: RowSeal?) throws {
        if let seal { return try SealedTable(db).put(self, seal) }
        for checkpoint in forgotten.values where checkpoints[checkpoint.source] == nil {
            try CheckpointTable(db).put(checkpoint, isForgotten: true)
        }
        for checkpoint in checkpoints.values { try CheckpointTable(db).put(checkpoint) }
        for (source, metres) in odometers { try OdometerTable(db).put(metres, of: source) }
    }
}

extension StoreCounters {
    /// Writes the states of the sources and the last number into their tables, unless the tables have them already.
    ///
    /// Called in the transaction that removes records, with the last sequence number that goes: what only a removed
    /// record said would be lost.
    mutating func saveSources(removingThrough sequence: Int64, in db: Database) throws {
        if sequence > durable.sourcesThrough { try saveSources(in: db) }
    }

    mutating func saveSources(in db: Database) throws {
        try sources.save(in: db, seal)
        try RecordTable(db).continueSequence(after: last)
        durable.sourcesThrough = last
    }

    mutating func forgetCheckpoints(in db: Database) throws {
        if seal == nil { try CheckpointTable(db).removeAll() }
        sources.forgetCheckpoints()
        try saveSources(in: db)
    }
}
