/// The state of a source's pipeline, stored with its records so that a crash neither loses nor repeats records.
public struct SourceCheckpoint: Sendable, Hashable {
    /// The source.
    public let source: SourceID
    /// The last record of the source: the filter's reference fix, and whether it was moving.
    public let last: RecordDraft
    /// The time at which the source last moved, by the fixes' time.
    public let lastMovement: Timestamp
    /// Whether the source was in standby.
    public let isStandby: Bool
    /// The inferred activity and the state of motion gating, in the pipeline's own format; 0 (the default) if unknown.
    /// A store keeps the number unchanged.
    public let activityState: Int64
    /// The state of the source's event detector, in the detector's own format; empty without one. A store keeps the
    /// bytes unchanged, also when it removes the checkpoint: see ``RecordLog/detectorStates()``.
    public let detectorState: [UInt8]

    /// Creates a checkpoint.
    public init(
        source: SourceID, last: RecordDraft, lastMovement: Timestamp, isStandby: Bool, activityState: Int64 = 0,
        detectorState: [UInt8] = []
    ) {
        self.source = source
        self.last = last
        self.lastMovement = lastMovement
        self.isStandby = isStandby
        self.activityState = activityState
        self.detectorState = detectorState
    }

    /// Returns the same checkpoint with another detector state.
    package func with(detectorState: [UInt8]) -> SourceCheckpoint {
        SourceCheckpoint(
            source: source, last: last, lastMovement: lastMovement, isStandby: isStandby,
            activityState: activityState, detectorState: detectorState)
    }
}

/// Records that wait for a sink.
public struct PendingBatch: Sendable, Hashable {
    /// The origin of a batch.
    public enum Origin: Sendable, Hashable {
        /// The queue, after the sink's cursor.
        case queue
        /// The dead letters that were put back.
        case requeued
    }

    /// The origin of the records.
    public let origin: Origin
    /// The records, oldest first; never empty.
    public let records: [TrackRecord]

    /// Creates a batch.
    public init(origin: Origin, records: [TrackRecord]) {
        self.origin = origin
        self.records = records
    }
}

/// The outcome for the first records of a ``PendingBatch``.
public struct Settlement: Sendable, Hashable {
    /// The origin of the batch.
    public let origin: PendingBatch.Origin
    /// The settled records, a prefix of the batch.
    public let records: [TrackRecord]
    /// The records among them that the receiver will never accept, with the reasons.
    public let refused: [RecordID: String]
    /// The time of the settlement; also the time of the dead letters and the start of `keepSyncedDays`.
    public let time: Timestamp

    /// Creates a settlement.
    public init(
        origin: PendingBatch.Origin, records: [TrackRecord], refused: [RecordID: String] = [:], time: Timestamp
    ) {
        self.origin = origin
        self.records = records
        self.refused = refused
        self.time = time
    }
}

/// The records that wait for a sink, in figures.
public struct Backlog: Sendable, Hashable {
    /// The number of records that the sink has not settled, including requeued dead letters.
    public let count: Int
    /// The time of the oldest of them.
    public let oldest: Timestamp?
    /// The newest record that is not settled.
    public let newest: TrackRecord?

    /// Creates a backlog.
    public init(count: Int, oldest: Timestamp?, newest: TrackRecord?) {
        self.count = count
        self.oldest = oldest
        self.newest = newest
    }
}

/// A record that a receiver will never accept.
public struct DeadLetter: Sendable, Hashable {
    /// The sink whose receiver refused it.
    public let sink: SinkID
    /// The record.
    public let record: TrackRecord
    /// The reason of the refusal.
    public let reason: String
    /// The time of the refusal.
    public let time: Timestamp

    /// Creates a dead letter.
    public init(sink: SinkID, record: TrackRecord, reason: String, time: Timestamp) {
        self.sink = sink
        self.record = record
        self.reason = reason
        self.time = time
    }
}

/// A selection of dead letters.
public struct DeadLetterSelection: Sendable, Hashable {
    /// The sink, or all.
    public let sink: SinkID?
    /// The record, or all.
    public let record: RecordID?

    /// Selects dead letters by sink and record; without either, all of them.
    public init(sink: SinkID? = nil, record: RecordID? = nil) {
        self.sink = sink
        self.record = record
    }
}

/// The result of a round of pruning.
public struct PruneReport: Sendable, Hashable {
    /// Records that every sink had settled.
    public let settled: Int
    /// Dead letters that a limit removed, and records that a limit removed before every sink had settled them (with no
    /// sink: that a limit removed).
    public let dropped: Int
    /// Whether the oldest record is beyond the age limit and stays only because the clock is not confirmed.
    public let keepsAged: Bool

    /// Creates a report.
    public init(settled: Int, dropped: Int, keepsAged: Bool = false) {
        self.settled = settled
        self.dropped = dropped
        self.keepsAged = keepsAged
    }

    package static func += (left: inout PruneReport, right: PruneReport) {
        left = PruneReport(
            settled: left.settled + right.settled, dropped: left.dropped + right.dropped,
            keepsAged: left.keepsAged || right.keepsAged)
    }
}

/// Figures about a store.
public struct StoreStatus: Sendable, Hashable {
    /// The number of records in the store.
    public let count: Int
    /// The last sequence number given.
    public let lastSequence: RecordSequence
    /// The size on disk, or in memory as an estimate, in bytes.
    public let bytes: Int64
    /// The number of records that limits have removed before they were delivered, since the store was created.
    public let dropped: Int64
    /// The number of dead letters.
    public let deadLetters: Int
    /// A problem of the store, if there is one: a damaged file that was set aside, a full disk.
    public let warning: String?

    /// Creates a status.
    public init(
        count: Int, lastSequence: RecordSequence, bytes: Int64, dropped: Int64, deadLetters: Int, warning: String?
    ) {
        self.count = count
        self.lastSequence = lastSequence
        self.bytes = bytes
        self.dropped = dropped
        self.deadLetters = deadLetters
        self.warning = warning
    }
}
