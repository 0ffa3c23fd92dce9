/// From fix to decision: gates, then motion gating, then the motion states with the distance filter.
///
/// A plain value: no clock, no waiting, no logging, no allocation. It can be run in a loop over a recorded track and
/// gives the same decisions as the engine does live.
///
/// ```swift
/// var pipeline = TrackPipeline(.calmGeo, timeBase: .fixTime)
/// for fix in fixes {
///     while let due = pipeline.nextTimeout(before: TrackInstant(fix.time)) { handle(pipeline.timeout(at: due)) }
///     handle(pipeline.process(fix, at: TrackInstant(fix.time)))
/// }
/// ```
public struct TrackPipeline: Sendable, Hashable, BitwiseCopyable {
    /// What of the configuration is needed beyond the parts' own; without strings, so that a copy costs nothing.
    private struct Settings: Hashable, BitwiseCopyable {
        let fetchActivity: Bool
        let requiredMotionDuration: Duration?
        let standbyInterval: Duration
        let movingDemand: FixDemand
    }

    private let settings: Settings
    private let timeBase: TimeBase
    private let rollover: WeekRollover
    private var gates: QualityGates
    private var classifier = ActivityClassifier()
    private var motionGate: MotionGate?
    private var motion: MotionStateMachine
    /// When the last movement was recorded, by the fixes' time.
    private var lastMovement: Timestamp?

    /// A pipeline at its beginning.
    ///
    /// - Parameters:
    ///   - configuration: a validated configuration; values out of range give useless decisions, not crashes.
    ///   - timeBase: whose time the moments are on that are passed in later.
    public init(_ configuration: TrackerConfiguration, timeBase: TimeBase) {
        settings = Settings(
            fetchActivity: configuration.fetchActivity,
            requiredMotionDuration: configuration.requiredMotionDuration,
            standbyInterval: configuration.standbyInterval, movingDemand: configuration.desiredAccuracy.demand)
        self.timeBase = timeBase
        rollover = WeekRollover(timeBase: timeBase)
        gates = QualityGates(configuration, timeBase: timeBase)
        motionGate = configuration.requiredMotionDuration.map(MotionGate.init)
        motion = MotionStateMachine(configuration)
    }

    // MARK: Deciding

    /// Judges a fix.
    ///
    /// - Parameters:
    ///   - fix: the fix as the receiver gave it.
    ///   - now: the moment on the pipeline's time base; it should not go backward.
    ///   - wallClock: the machine's time of day, which decides about week rollover and, for live fixes, about stale and
    ///     future times; `nil` switches these off.
    public mutating func process(_ fix: Fix, at now: TrackInstant, wallClock: Timestamp? = nil) -> Decision {
        guard let wallClock, rollover.periodsOff(fix.time, wallClock: wallClock) != 0 else {
            return judge(fix, at: now, wallClock: wallClock)
        }
        return judge(rollover.corrected(fix, wallClock: wallClock), at: now, wallClock: wallClock)
    }

    private mutating func judge(_ fix: Fix, at now: TrackInstant, wallClock: Timestamp?) -> Decision {
        let previous = gates.last
        let believedClock = timeBase == .arrival ? wallClock : nil
        if let reason = gates.refusal(of: fix, now: now, wallClock: believedClock) { return .reject(fix, reason) }
        observeActivity(of: fix, after: previous, at: now)
        if motionGate?.isOpen == false { return .reject(fix, .notInMotion) }
        switch motion.fix(fix, at: now) {
        case .record(let recording): return .record(plan(recording))
        case .reject(let reason): return .reject(fix, reason)
        }
    }

    private mutating func observeActivity(of fix: Fix, after previous: Passage?, at now: TrackInstant) {
        if let speed = fix.speed ?? previous?.impliedSpeed(to: fix) { classifier.observe(speed: speed, at: now) }
        motionGate?.observe(fix.activity ?? classifier.current, at: now)
    }

    private mutating func plan(_ recording: MotionStateMachine.Recording) -> PlannedRecord {
        if recording.isMoving { lastMovement = recording.fix.time }
        return PlannedRecord(
            fix: recording.fix, isMoving: recording.isMoving, event: recording.event, cause: recording.cause,
            activity: settings.fetchActivity ? estimate(for: recording.fix) : nil)
    }

    private func estimate(for fix: Fix) -> ActivityEstimate {
        fix.activity.map { ActivityEstimate($0, confidence: 100) } ?? classifier.estimate
    }

    /// The record of the newest known position on demand; changes no state.
    public func planRequestedRecord() -> PlannedRecord? {
        motion.latest.map {
            PlannedRecord(
                fix: $0, isMoving: isMoving, event: nil, cause: .requested,
                activity: settings.fetchActivity ? estimate(for: $0) : nil)
        }
    }

    // MARK: Time

    /// When something falls due even if no fix arrives.
    public var deadline: TrackInstant? { motion.deadline }

    /// The deadline, if it lies before a moment; a fix at exactly the deadline comes first.
    public func nextTimeout(before moment: TrackInstant) -> TrackInstant? {
        deadline.flatMap { $0 < moment ? $0 : nil }
    }

    /// Lets time pass to a moment; answers what came of it, `nil` if nothing was due.
    public mutating func timeout(at now: TrackInstant) -> Decision? {
        switch motion.timeout(at: now) {
        case .record(let recording): .record(plan(recording))
        case .standby: .standby
        case .none: nil
        }
    }

    // MARK: State

    /// Whether the last record says that the thing moves.
    public var isMoving: Bool { motion.isMoving }

    /// Whether nothing has moved for so long that the source may look seldom.
    public var isStandby: Bool { motion.phase == .standby }

    /// The last fix that passed the gates.
    public var latest: Fix? { motion.latest }

    /// What the source should deliver in this state.
    public var demand: FixDemand {
        isStandby ? .occasional(every: settings.standbyInterval) : settings.movingDemand
    }

    /// The state as the store keeps it beside a record.
    public func checkpoint(after draft: RecordDraft) -> SourceCheckpoint {
        SourceCheckpoint(
            source: draft.source, last: draft, lastMovement: lastMovement ?? draft.fix.time, isStandby: isStandby)
    }

    /// Takes up where an earlier run left off.
    ///
    /// - Parameters:
    ///   - checkpoint: where the source's pipeline stood.
    ///   - now: the moment of taking up, on this pipeline's time base.
    ///   - wallClock: the time of day at that moment; it tells how long ago the last record was.
    public mutating func resume(from checkpoint: SourceCheckpoint, at now: TrackInstant, wallClock: Timestamp) {
        gates.resume(after: Passage(checkpoint.last.fix))
        lastMovement = checkpoint.lastMovement
        motion.resume(
            from: checkpoint, moment: moment(of: checkpoint.last.fix.time, now: now, wallClock: wallClock),
            lastMovement: moment(of: checkpoint.lastMovement, now: now, wallClock: wallClock))
    }

    /// A stored time on this pipeline's time base; never in the future.
    private func moment(of time: Timestamp, now: TrackInstant, wallClock: Timestamp) -> TrackInstant {
        switch timeBase {
        case .fixTime: TrackInstant(time)
        case .arrival: now.advanced(by: .zero - max(.zero, min(wallClock.duration(since: time), .seconds(86_400))))
        }
    }

    /// The same state under another configuration; no fix is forgotten.
    public func reconfigured(_ configuration: TrackerConfiguration) -> TrackPipeline {
        var next = TrackPipeline(configuration, timeBase: timeBase)
        if let last = gates.last { next.gates.resume(after: last) }
        next.classifier = classifier
        if configuration.requiredMotionDuration == settings.requiredMotionDuration {
            next.motionGate = motionGate
        }
        next.motion = motion.reconfigured(configuration)
        next.lastMovement = lastMovement
        return next
    }
}
