/// The state of a pipeline for the source's report, its demand and its timer.
struct PipelineSummary {
    /// The last fix that passed the gates.
    let latest: Fix?
    /// Whether the object moves, by the last record.
    let isMoving: Bool
    /// The distance that the object has travelled, in metres.
    let odometer: Double
    /// The record that the latest fix would become, while that is undecided.
    let undecided: RecordPlan?
    /// Whether the object has rested long enough for standby.
    let isStandby: Bool
    /// The fixes that the source should deliver.
    let demand: FixDemand
    /// The next deadline without another fix.
    let deadline: TrackInstant?
    /// The next state of rest if the object does not move.
    let rest: RestDeadline?
}

/// A state of rest, and the moment when the object enters it unless it moves before.
struct RestDeadline: Hashable, BitwiseCopyable {
    let state: PendingRest.State
    let moment: TrackInstant
}

extension TrackPipeline {
    /// Returns the summary in one call that changes nothing. It is mutating and never inlined, because a non-mutating
    /// call would copy the pipeline, most of a kilobyte, for every fix.
    @inline(never)
    mutating func summary() -> PipelineSummary {
        PipelineSummary(
            latest: latest, isMoving: isMoving, odometer: odometer,
            undecided: hasUndecided ? planRequestedRecord() : nil, isStandby: isStandby, demand: demand,
            deadline: deadline, rest: restDeadline)
    }
}

extension SourceReport {
    /// Takes over the state of the pipeline.
    mutating func show(_ summary: PipelineSummary) {
        latest = summary.latest
        isMoving = summary.isMoving
        odometer = summary.odometer
        undecided = summary.undecided
        isStandby = summary.isStandby
        restDeadline = summary.rest
    }
}
