/// Where the pipeline of a source stood, kept with its records so that a crash neither loses nor repeats anything.
public struct SourceCheckpoint: Sendable, Hashable {
    /// The source.
    public let source: SourceID
    /// The last record of the source: the filter's reference fix, and whether it was moving.
    public let last: RecordDraft
    /// When the source last moved, by the fixes' time.
    public let lastMovement: Timestamp
    /// Whether the source was in standby.
    public let isStandby: Bool
    /// The inferred activity and the state of motion gating, in a form of the pipeline's own; 0 (the default) where they
    /// are not known. A store keeps the number as it is.
    public let activityState: Int64
    /// What the source's event detector knows, in a form of its own; empty where there is none. A store keeps the bytes as
    /// they are, also when it forgets the checkpoint: see ``RecordLog/detectorStates()``.
    public let detectorState: [UInt8]

    /// Makes a checkpoint.
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

    /// The same place in the track, with what an event detector knows there.
    package func with(detectorState: [UInt8]) -> SourceCheckpoint {
        SourceCheckpoint(
            source: source, last: last, lastMovement: lastMovement, isStandby: isStandby,
            activityState: activityState, detectorState: detectorState)
    }
}

/// Records that wait for a sink.
public struct PendingBatch: Sendable, Hashable {
    /// Where they come from.
    public enum Origin: Sendable, Hashable {
        /// The queue, after the sink's cursor.
        case queue
        /// The dead letters that somebody put back.
        case requeued
    }

    /// Where they come from.
    public let origin: Origin
    /// The records, oldest first; never empty.
    public let records: [TrackRecord]

    /// Makes a batch.
    public init(origin: Origin, records: [TrackRecord]) {
        self.origin = origin
        self.records = records
    }
}

/// What a sink has done with the first records of a ``PendingBatch``.
public struct Settlement: Sendable, Hashable {
    /// Where the batch came from.
    public let origin: PendingBatch.Origin
    /// The settled records, a prefix of the batch.
    public let records: [TrackRecord]
    /// Those of them that the receiver will never take, and why.
    public let refused: [RecordID: String]
    /// When it happened; it becomes the time of the dead letters and of `keepSyncedDays`.
    public let time: Timestamp

    /// Makes a settlement.
    public init(
        origin: PendingBatch.Origin, records: [TrackRecord], refused: [RecordID: String] = [:], time: Timestamp
    ) {
        self.origin = origin
        self.records = records
        self.refused = refused
        self.time = time
    }
}

/// What waits for a sink.
public struct Backlog: Sendable, Hashable {
    /// How many records the sink has not settled, requeued dead letters included.
    public let count: Int
    /// The time of the oldest of them.
    public let oldest: Timestamp?
    /// The newest record that is not settled.
    public let newest: TrackRecord?

    /// Makes a backlog.
    public init(count: Int, oldest: Timestamp?, newest: TrackRecord?) {
        self.count = count
        self.oldest = oldest
        self.newest = newest
    }
}

/// A record that a receiver will never take.
public struct DeadLetter: Sendable, Hashable {
    /// Whose receiver refused it.
    public let sink: SinkID
    /// The record.
    public let record: TrackRecord
    /// Why it was refused.
    public let reason: String
    /// When it was refused.
    public let time: Timestamp

    /// Makes a dead letter.
    public init(sink: SinkID, record: TrackRecord, reason: String, time: Timestamp) {
        self.sink = sink
        self.record = record
        self.reason = reason
        self.time = time
    }
}

/// Which dead letters are meant.
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

/// What a round of pruning removed.
public struct PruneReport: Sendable, Hashable {
    /// Records that every sink had settled.
    public let settled: Int
    /// Dead letters that a limit removed, and records that a limit removed before every sink had settled them (with no
    /// sink: that a limit removed).
    public let dropped: Int
    /// Whether the oldest record is beyond the age limit and stays only because the clock is not confirmed.
    public let keepsAged: Bool

    /// Makes a report.
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
    /// How many records it holds.
    public let count: Int
    /// The last sequence number given.
    public let lastSequence: RecordSequence
    /// The size on disk, or in memory as an estimate, in bytes.
    public let bytes: Int64
    /// How many records limits have removed before they were delivered, since the store was made.
    public let dropped: Int64
    /// How many dead letters there are.
    public let deadLetters: Int
    /// What is wrong, if something is: a damaged file that was set aside, a disk that is full.
    public let warning: String?

    /// Makes a status.
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
