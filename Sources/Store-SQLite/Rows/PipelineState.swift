package import TrackEngine

/// What a source's checkpoint says beyond its last record. It is stored in that record's payload, so that an append writes
/// no second row.
package struct PipelineState: Hashable {
    /// When the source last moved, by the fixes' time.
    package let lastMovement: Timestamp
    /// Whether the source was in standby.
    package let isStandby: Bool
    /// The inferred activity and the state of motion gating, as the pipeline packs them.
    package let activityState: Int64

    package init(lastMovement: Timestamp, isStandby: Bool, activityState: Int64) {
        self.lastMovement = lastMovement
        self.isStandby = isStandby
        self.activityState = activityState
    }

    /// The state of a checkpoint that is about this record; `nil` when it is about another one.
    init?(_ checkpoint: SourceCheckpoint?, of draft: RecordDraft?) {
        guard let checkpoint, let draft, checkpoint.last == draft, checkpoint.source == draft.source else { return nil }
        self.init(checkpoint)
    }

    init(_ checkpoint: SourceCheckpoint) {
        self.init(
            lastMovement: checkpoint.lastMovement, isStandby: checkpoint.isStandby,
            activityState: checkpoint.activityState)
    }

    func checkpoint(of draft: RecordDraft) -> SourceCheckpoint {
        SourceCheckpoint(
            source: draft.source, last: draft, lastMovement: lastMovement, isStandby: isStandby,
            activityState: activityState)
    }
}
