/// What a tracker shows of a pipeline, and what it waits for.
struct PipelineSummary {
    /// The last fix that passed the gates.
    let latest: Fix?
    /// Whether the last record says that the object moves.
    let isMoving: Bool
    /// How far the object has travelled, in metres.
    let odometer: Double
    /// What a record of the latest fix would say, while it is undecided whether it becomes one.
    let undecided: RecordPlan?
    /// Whether nothing has moved for long.
    let isStandby: Bool
    /// What the source should deliver.
    let demand: FixDemand
    /// When something falls due even if no fix arrives.
    let deadline: TrackInstant?
    /// What comes next if the object does not move.
    let rest: RestDeadline?
}

/// A state of rest, and the moment when an object comes to it unless it moves before.
struct RestDeadline: Hashable, BitwiseCopyable {
    let state: NextRest.State
    let moment: TrackInstant
}

extension TrackPipeline {
    /// All of it in one call that changes nothing. It is mutating, and never inlined, because what is not would copy the
    /// pipeline, most of a kilobyte, for every fix.
    @inline(never)
    mutating func summary() -> PipelineSummary {
        PipelineSummary(
            latest: latest, isMoving: isMoving, odometer: odometer,
            undecided: hasUndecided ? planRequestedRecord() : nil, isStandby: isStandby, demand: demand,
            deadline: deadline, rest: restDeadline)
    }
}

extension SourceReport {
    /// Takes over how the pipeline stands.
    mutating func show(_ summary: PipelineSummary) {
        latest = summary.latest
        isMoving = summary.isMoving
        odometer = summary.odometer
        undecided = summary.undecided
        isStandby = summary.isStandby
        restDeadline = summary.rest
    }
}
