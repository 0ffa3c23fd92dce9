import SQLiteAccess
import TrackEngine

/// The states of each source's pipeline and odometer, as of the last record.
///
/// They are in the newest records: each has its odometer's reading, and the last record of an append has its
/// pipeline's state. The tables are written only when those records are about to be removed, and once in a thousand
/// records. An append thus writes one page, and opening a store reads few records.
struct SourceStateTable {
    private(set) var checkpoints: [SourceID: SourceCheckpoint] = [:]
    private(set) var odometers: [SourceID: Double] = [:]
    /// Forgotten checkpoints, of which only the states of the event detectors are still valid.
    private(set) var forgotten: [SourceID: SourceCheckpoint] = [:]

    /// The number of records after which the tables are written again.
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

    /// Removes the states of the pipelines but keeps those of the event detectors.
    mutating func forgetCheckpoints() {
        for (source, checkpoint) in checkpoints where !checkpoint.detectorState.isEmpty {
            forgotten[source] = checkpoint
        }
        checkpoints = [:]
    }

    /// Removes the states of the pipelines and of the event detectors.
    mutating func forgetPlaces() { (checkpoints, forgotten) = ([:], [:]) }

    /// The last states of the event detectors.
    var detectorStates: [SourceID: [UInt8]] {
        forgotten.mapValues(\.detectorState)
            .merging(checkpoints.mapValues(\.detectorState).filter { !$0.value.isEmpty }) { $1 }
    }

    /// Reads the tables, and then the records that were added since the tables were written.
    init(_ db: Database, savedThrough sequence: Int64, _ seal: RowCipher?) throws {
        if let seal {
            self = try EncryptedTable(db).sources(seal)
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

    /// The states before any record.
    init() {}

    mutating func note(odometer metres: Double, of source: SourceID) { odometers[source] = metres }

    func save(in db: Database, _ seal: RowCipher?) throws {
        if let seal { return try EncryptedTable(db).put(self, seal) }
        for checkpoint in forgotten.values where checkpoints[checkpoint.source] == nil {
            try CheckpointTable(db).put(checkpoint, isForgotten: true)
        }
        for checkpoint in checkpoints.values { try CheckpointTable(db).put(checkpoint) }
        for (source, metres) in odometers { try OdometerTable(db).put(metres, of: source) }
    }
}

extension StoreCounts {
    /// Writes the states of the sources and the last number into their tables, unless the tables are up to date.
    ///
    /// Called in the transaction that removes records, with the last sequence number that is removed. A state that
    /// only a removed record contains would otherwise be lost.
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
