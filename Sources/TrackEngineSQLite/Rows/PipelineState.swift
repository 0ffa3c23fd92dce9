package import TrackEngine

/// The state of a source's checkpoint in addition to its last record. It is stored in that record's payload, so that
/// an append does not write a second row.
package struct PipelineState: Hashable {
    /// The time of the source's last movement, by the fixes' time.
    package let lastMovement: Timestamp
    /// Whether the source was in standby.
    package let isStandby: Bool
    /// The inferred activity and the state of motion gating, as the pipeline packs them.
    package let activityState: Int64
    /// The state of the source's event detector; empty if there is none.
    package let detectorState: [UInt8]
    /// Whether the checkpoint has been forgotten: only the detector's state is still valid.
    let isForgotten: Bool

    package init(
        lastMovement: Timestamp, isStandby: Bool, activityState: Int64, detectorState: [UInt8] = [],
        isForgotten: Bool = false
    ) {
        self.lastMovement = lastMovement
        self.isStandby = isStandby
        self.activityState = activityState
        self.detectorState = detectorState
        self.isForgotten = isForgotten
    }

    init(_ checkpoint: SourceCheckpoint, isForgotten: Bool = false) {
        self.init(
            lastMovement: checkpoint.lastMovement, isStandby: checkpoint.isStandby,
            activityState: checkpoint.activityState, detectorState: checkpoint.detectorState, isForgotten: isForgotten)
    }

    func checkpoint(of draft: RecordDraft) -> SourceCheckpoint {
        SourceCheckpoint(
            source: draft.source, last: draft, lastMovement: lastMovement, isStandby: isStandby,
            activityState: activityState, detectorState: detectorState)
    }

    /// The number of bytes in addition to those that every record has room for.
    var room: Int { detectorState.isEmpty ? 0 : 4 + detectorState.count }
}
