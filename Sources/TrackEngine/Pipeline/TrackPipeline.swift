/// Decides about fixes: gates, then motion gating, then the motion states with the distance filter.
///
/// A plain value: no clock, no waiting, no logging, no allocation. In a loop over a recorded track it makes the same
/// decisions as the live engine.
///
/// ```swift
/// var pipeline = TrackPipeline(.calmGeo, timeBase: .fixTime)
/// pipeline.replay(fixes) { fix, decision in handle(fix, decision) }
/// ```
///
/// If all fixes are available, `for record in fixes.track(.calmGeo)` is shorter: see ``TrackReplay``.
///
/// Each decision is passed on with its fix, whose date has been corrected. With every rule but `deviation` a fix has
/// one decision, at once.
///
/// With the rule `deviation` the window is a buffer allocated once, so changing a copy of the pipeline also copies the
/// buffer.
public struct TrackPipeline: Sendable, Hashable {
    /// The settings needed in addition to those of the parts; without strings, so that a copy is cheap.
    private struct Settings: Hashable, BitwiseCopyable {
        let fetchActivity: Bool
        /// Whether the inferred activity is used; if not, it is not inferred.
        let infersActivity: Bool
        let requiredMotionDuration: Duration?
        let standbyInterval: Duration
        let movingDemand: FixDemand
    }

    private let settings: Settings
    private let timeBase: TimeBase
    private let rollover: WeekRollover
    private var gates: QualityGateList
    private var activity: ActivityState
    /// ``activity`` at the last record, for a checkpoint; 0 if it is not used.
    private var recordedActivity: Int64 = 0
    private var motion: MotionStateMachine
    /// Decides later, with the rule `deviation`.
    private var late: PendingFixRecorder
    private var travelled = Odometer()
    /// The time of the last recorded movement, by the fixes' time.
    private var lastMovement: Timestamp?
    /// Whether no fix has passed the gates since ``interrupt(decide:)``.
    private var isInterrupted = false

    /// Creates a pipeline at the beginning of a track.
    ///
    /// - Parameters:
    ///   - configuration: a validated configuration; values out of range lead to useless decisions, not to crashes.
    ///   - timeBase: the time base of the moments that are passed in later.
    public init(_ configuration: RecordingConfiguration, timeBase: TimeBase) {
        settings = Settings(
            fetchActivity: configuration.fetchActivity,
            infersActivity: configuration.fetchActivity || configuration.requiredMotionDuration != nil,
            requiredMotionDuration: configuration.requiredMotionDuration,
            standbyInterval: configuration.standbyInterval, movingDemand: configuration.desiredAccuracy.demand)
        self.timeBase = timeBase
        rollover = WeekRollover(timeBase: timeBase)
        gates = QualityGateList(configuration, timeBase: timeBase)
        activity = ActivityState(requiredMotionDuration: configuration.requiredMotionDuration)
        motion = MotionStateMachine(configuration)
        late = PendingFixRecorder(configuration)
    }

    // MARK: Deciding

    /// Returns the moment of a fix whose date has been corrected.
    private func moment(of corrected: Fix, now: TrackInstant) -> TrackInstant {
        switch timeBase {
        case .arrival: now
        case .fixTime: TrackInstant(corrected.time)
        }
    }

    /// Processes a fix.
    ///
    /// - Parameters:
    ///   - fix: the fix as the receiver gave it.
    ///   - now: the moment on the pipeline's time base; it should not go backward.
    ///   - wallClock: the machine's time of day, used for week rollover and, for live fixes, for stale and future
    ///     times; `nil` switches these checks off.
    ///   - decide: called with the fix, its date corrected, and its decision, and then, with the rule `deviation`, with
    ///     the earlier fixes that become records.
    public mutating func process(
        _ fix: Fix, at now: TrackInstant, wallClock: Timestamp? = nil, decide: (Fix, Decision) -> Void
    ) {
        guard let wallClock, rollover.periodsOff(fix.time, wallClock: wallClock) != 0 else {
            return judge(fix, at: now, wallClock: wallClock, decide: decide)
        }
        let corrected = rollover.corrected(fix, wallClock: wallClock)
        judge(corrected, at: moment(of: corrected, now: now), wallClock: wallClock, decide: decide)
    }

    private mutating func judge(
        _ fix: Fix, at now: TrackInstant, wallClock: Timestamp?, decide: (Fix, Decision) -> Void
    ) {
        let decision = judge(fix, at: now, wallClock: wallClock)
        decide(fix, decision)
        guard case .undecided = decision, case .deviation(var recorder) = takeLate() else { return }
        recorder.value.offer(fix, odometer: odometer, at: now) { decide($0.fix, .record(plan($0))) }
        if let due = recorder.value.deadline, now >= due {
            recorder.value.decide(newest: .interval) { decide($0.fix, .record(plan($0))) }
        }
        late = .deviation(recorder)
    }

    /// Takes the recorder out, so that it is changed in place while the rest of the pipeline is read.
    private mutating func takeLate() -> PendingFixRecorder {
        var taken = PendingFixRecorder.none
        swap(&taken, &late)
        return taken
    }

    private mutating func judge(_ fix: Fix, at now: TrackInstant, wallClock: Timestamp?) -> Decision {
        let previous = settings.infersActivity && !isInterrupted ? gates.last : nil
        let believedClock = timeBase == .arrival ? wallClock : nil
        switch gates.verdict(on: fix, now: now, wallClock: believedClock) {
        case .passes: break
        case .passesBesideOutlier: travelled.begin(at: fix)
        case .refused(let reason): return .reject(reason)
        }
        isInterrupted = false
        if now < motion.latestMoment { rewind(to: now, time: fix.time) }
        if settings.infersActivity { activity.observe(fix, after: previous, at: now) }
        if activity.isClosed {
            motion.witness(fix, at: now)
            return .reject(.notInMotion)
        }
        let action = motion.fix(fix, at: now)
        if motion.isMoving { travelled.travel(to: fix, counting: action.confirmsMovement) }
        if motion.moved(at: now) { lastMovement = fix.time }
        switch action {
        case .record(let recording):
            if settings.infersActivity { recordedActivity = activity.packed(at: now) }
            if late.isPresent { restartRecorder(at: fix, moment: now) }
            return .record(plan(fix, recording))
        case .reject(let reason): return .reject(reason)
        case .offer: return .undecided
        }
    }

    /// Goes back to an earlier time. That happens only after wrongly dated fixes: no timer may wait for their times.
    @inline(never)
    private mutating func rewind(to now: TrackInstant, time: Timestamp) {
        motion.rewind(to: now)
        activity.rewind(to: now)
        if case .deviation(var recorder) = takeLate() {
            recorder.value.rewind(to: now)
            late = .deviation(recorder)
        }
        lastMovement = lastMovement.map { timeBase == .fixTime ? min($0, time) : $0 }
    }

    @inline(never)
    private mutating func restartRecorder(at fix: Fix, moment: TrackInstant) {
        guard case .deviation(var recorder) = takeLate() else { return }
        recorder.value.restart(at: fix, moment: moment)
        late = .deviation(recorder)
    }

    private func plan(_ fix: Fix, _ recording: MotionStateMachine.Recording, passedOver: Int = 0) -> RecordPlan {
        RecordPlan(
            odometer: odometer, passedOver: passedOver, isMoving: recording.isMoving, event: recording.event,
            cause: recording.cause, activity: settings.fetchActivity ? activity.estimate(for: fix) : nil)
    }

    private func plan(_ keeping: DeviationRecorder.Selection) -> RecordPlan {
        RecordPlan(
            odometer: keeping.odometer, passedOver: keeping.passedOver, isMoving: true, event: nil,
            cause: keeping.cause, activity: settings.fetchActivity ? activity.estimate(for: keeping.fix) : nil)
    }

    /// Returns the plan for a record of ``latest`` on request; changes no state.
    public func planRequestedRecord() -> RecordPlan? {
        motion.latest.map {
            RecordPlan(
                odometer: odometer, passedOver: 0, isMoving: isMoving, event: nil, cause: .requested,
                activity: settings.fetchActivity ? activity.estimate(for: $0) : nil)
        }
    }

    /// Records the newest known position on request; undecided fixes before it are decided first.
    ///
    /// - Returns: whether later records refer to this one, as with the rule `deviation` in motion.
    @discardableResult
    public mutating func request(decide: (Fix, Decision) -> Void) -> Bool {
        guard decideAll(newest: .requested, decide: decide) else {
            if let latest, let plan = planRequestedRecord() { decide(latest, .record(plan)) }
            return false
        }
        return true
    }

    /// Decides all undecided fixes, because the track ends here or continues later. Only the rule `deviation` has any.
    public mutating func decideAll(decide: (Fix, Decision) -> Void) {
        decideAll(newest: .deviation, decide: decide)
    }

    @discardableResult
    private mutating func decideAll(newest cause: RecordCause, decide: (Fix, Decision) -> Void) -> Bool {
        guard case .deviation(var recorder) = takeLate() else { return false }
        var hasDecided = false
        recorder.value.decide(newest: cause) {
            decide($0.fix, .record(plan($0)))
            hasDecided = true
        }
        late = .deviation(recorder)
        return hasDecided
    }

    /// Ends the leg, because the object's movements are unknown from now on. Decides the undecided fixes; the next fix
    /// that passes the gates begins a new leg, with the cause ``RecordCause/resumed``. The distance to it is not added
    /// to the odometer, and no timer is due before it.
    public mutating func interrupt(decide: (Fix, Decision) -> Void) {
        decideAll(decide: decide)
        activity = ActivityState(requiredMotionDuration: settings.requiredMotionDuration)
        recordedActivity = 0
        motion.interrupt()
        travelled.interrupt()
        isInterrupted = true
    }

    /// Makes the gates accept any position of the next fix, after ``interrupt(decide:)``: the object has not travelled
    /// the way to it. The gates for its time, its accuracy and invalid positions still apply.
    public mutating func relocate() { gates.relocate() }

    // MARK: Time

    /// The moment of the next timer if no fix arrives.
    @inline(__always)
    public var deadline: TrackInstant? {
        // Inlined because it is read for every fix, and a call would copy the pipeline.
        late.isPresent ? late.deadline(orEarlier: motion.deadline) : motion.deadline
    }

    /// Returns the deadline if it lies before a fix that will pass the gates; a fix at exactly the deadline comes
    /// first.
    ///
    /// For pipelines on the fixes' own time. A rejected fix does not advance time, so no timer is due because of it.
    /// Call ``timeout(at:decide:)`` for each deadline, then process the fix. There are never more than a few, however
    /// far apart two fixes are. Changes nothing; it is mutating because a non-mutating call would copy the pipeline,
    /// most of a kilobyte, for every fix.
    ///
    /// - Parameters:
    ///   - fix: the fix to be processed next.
    ///   - wallClock: the machine's time of day, as it will be passed to ``process(_:at:wallClock:decide:)``.
    @inline(__always)
    public mutating func nextTimeout(before fix: Fix, wallClock: Timestamp? = nil) -> TrackInstant? {
        guard let deadline, deadline < TrackInstant(fix.time) else { return nil }
        return isPassed(deadline, by: fix, wallClock: wallClock) ? deadline : nil
    }

    @inline(never)
    private func isPassed(_ deadline: TrackInstant, by fix: Fix, wallClock: Timestamp?) -> Bool {
        let fix = wallClock.map { rollover.corrected(fix, wallClock: $0) } ?? fix
        guard deadline < TrackInstant(fix.time) else { return false }
        var gates = gates
        switch gates.verdict(on: fix, now: TrackInstant(fix.time), wallClock: nil) {
        case .passes, .passesBesideOutlier: return true
        case .refused: return false
        }
    }

    /// Advances time to a moment; calls `decide` with each decision. There is none if no timer was due, or if no fix
    /// shows the object's state.
    public mutating func timeout(at now: TrackInstant, decide: (Fix, Decision) -> Void) {
        let wait = late.deadline
        guard let due = motion.deadline, now >= due, wait.map({ due <= $0 }) ?? true else {
            if let wait, now >= wait { decideAll(newest: .interval, decide: decide) }
            return
        }
        apply(motion.timeout(at: now), decide: decide)
    }

    private mutating func apply(_ action: MotionStateMachine.TimeAction, decide: (Fix, Decision) -> Void) {
        switch action {
        case .record(let fix, let recording):
            if settings.infersActivity { recordedActivity = activity.packed(at: motion.latestMoment) }
            let passedOver = decideBeforeRest(decide: decide)
            if recording.isMoving {
                travelled.count(upTo: fix)
                lastMovement = fix.time
            } else {
                travelled.rest(at: fix)
            }
            decide(fix, .record(plan(fix, recording, passedOver: passedOver)))
        case .standby(let fix): decide(fix, .standby)
        case .none: break
        }
    }

    /// Decides the undecided fixes when the object comes to rest; the newest fix is recorded as the position of rest.
    /// Returns the number of unneeded fixes before that one.
    private mutating func decideBeforeRest(decide: (Fix, Decision) -> Void) -> Int {
        guard case .deviation(var recorder) = takeLate() else { return 0 }
        var passedOver = 0
        recorder.value.decide(newest: .still) {
            if $0.cause == .still { passedOver = $0.passedOver } else { decide($0.fix, .record(plan($0))) }
        }
        late = .deviation(recorder)
        return passedOver
    }

    // MARK: State

    /// Whether the object moves, by the last record.
    public var isMoving: Bool { motion.isMoving }

    /// Whether the newest fix may still become a record; only with the rule `deviation`.
    public var hasUndecided: Bool { isMoving && late.hasUndecided }

    /// Whether the object has rested for so long that the source may deliver less often.
    public var isStandby: Bool { motion.phase == .standby }

    /// The next state of rest if the object does not move, and its moment.
    var restDeadline: RestDeadline? { motion.restDeadline }

    /// The distance that the object has travelled, in metres since the beginning, or since the reading passed to
    /// ``resume(odometer:)``.
    public var odometer: Double { travelled.metres }

    /// The last fix that passed the gates.
    public var latest: Fix? { motion.latest }

    /// The fixes that the source should deliver in this state.
    public var demand: FixDemand {
        isStandby ? .occasional(every: settings.standbyInterval) : settings.movingDemand
    }

    /// The fixes that the source should deliver while the object rests.
    var restDemand: FixDemand { .occasional(every: settings.standbyInterval) }

    /// Returns the state that the store keeps with a record.
    public func checkpoint(after draft: RecordDraft) -> SourceCheckpoint {
        SourceCheckpoint(
            source: draft.source, last: draft, lastMovement: lastMovement ?? draft.fix.time, isStandby: isStandby,
            activityState: recordedActivity)
    }

    /// Continues from the state of an earlier run.
    ///
    /// - Parameters:
    ///   - checkpoint: the saved state of the source's pipeline.
    ///   - now: the present moment on this pipeline's time base.
    ///   - wallClock: the time of day at that moment, from which the age of the last record is computed.
    ///   - isAhead: whether all further fixes come after the last record in a recording (``RecordedSource``). Then
    ///     earlier ones may be right and the last record wrong.
    public mutating func resume(
        from checkpoint: SourceCheckpoint, at now: TrackInstant, wallClock: Timestamp, isAhead: Bool = false
    ) {
        gates.resume(after: checkpoint.last.fix, isAhead: isAhead)
        lastMovement = checkpoint.lastMovement
        let last = moment(of: checkpoint.last.fix.time, now: now, wallClock: wallClock)
        recordedActivity = checkpoint.activityState
        activity.resume(packed: recordedActivity, isMoving: checkpoint.last.isMoving, at: last)
        restartRecorder(at: checkpoint.last.fix, moment: last)
        travelled.resume(metres: checkpoint.last.odometer ?? 0)
        travelled.resume(at: checkpoint.last.fix, isMoving: checkpoint.last.isMoving)
        motion.resume(
            from: checkpoint, moment: last,
            lastMovement: moment(of: checkpoint.lastMovement, now: now, wallClock: wallClock))
    }

    /// The odometer with its complete state.
    var exactOdometer: Odometer {
        get { travelled }
        set { travelled = newValue }
    }

    /// Continues from an odometer's earlier reading, in metres; a smaller one than the present has no effect.
    public mutating func resume(odometer metres: Double) {
        travelled.resume(metres: metres)
    }

    /// Returns a stored time on this pipeline's time base; never in the future.
    private func moment(of time: Timestamp, now: TrackInstant, wallClock: Timestamp) -> TrackInstant {
        switch timeBase {
        case .fixTime: TrackInstant(time)
        case .arrival: now.advanced(by: .zero - max(.zero, min(wallClock.duration(since: time), .seconds(86_400))))
        }
    }

    /// Returns the same state under another configuration; only undecided fixes are lost, see ``decideAll(decide:)``.
    public func reconfigured(_ configuration: RecordingConfiguration) -> TrackPipeline {
        var next = TrackPipeline(configuration, timeBase: timeBase)
        next.gates = gates.reconfigured(configuration)
        next.activity = activity.reconfigured(
            next.activity, keepsGate: configuration.requiredMotionDuration == settings.requiredMotionDuration)
        next.recordedActivity = recordedActivity
        next.motion = motion.reconfigured(configuration)
        next.lastMovement = lastMovement
        next.travelled = travelled
        next.late = late.reconfigured(configuration)
        next.isInterrupted = isInterrupted
        return next
    }
}
