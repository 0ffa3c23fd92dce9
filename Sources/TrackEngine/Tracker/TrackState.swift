/// The state of one source's track. A value: a step works on a copy, which takes the original's place when the store has
/// its records. Its large parts are boxed, so that a step copies only those that it changes.
struct TrackState: Sendable {
    let timeBase: TimeBase
    var pipeline: Box<TrackPipeline>
    /// Finds events in the track; absent without a detector.
    var detection: Box<EventDetection>?
    /// Watches whether the gates reject every fix; unused where time is the fixes' own.
    private(set) var refusals = RejectionMonitor()
    var policy = PositionPolicy()
    /// The tracker's own events in this track.
    var ownEvents: TrackerEvents

    init(_ configuration: RecordingConfiguration, _ environment: SourceProcessorEnvironment) {
        let source = environment.source
        timeBase = source.timeBase
        pipeline = Box(TrackPipeline(configuration, timeBase: timeBase))
        detection = environment.detector.map { Box(EventDetection($0, of: source)) }
        ownEvents = TrackerEvents(timeBase == .arrival ? environment.ownEvents : [])
    }

    /// The newest fix that passed the gates.
    var latest: Fix? { pipeline.value.latest }

    /// The places and the trip of the object, as far as the detector knows.
    var context: RecordContext? {
        @inline(__always) get { detection?.value.context }
    }

    /// Whether the detector knows that the object is hidden.
    var isConcealed: Bool { detection?.value.isConcealed == true }

    /// Whether recording is off at this moment, everywhere or at the object's place.
    func isOff(_ rules: PositionRules) -> Bool { policy.isAtOffPlace || rules.isOff }

    /// The next deadline of the pipeline or the detector. In a pause and while tracking is off, the detector has none.
    func deadline(_ rules: PositionRules) -> TrackInstant? {
        Self.earlier(pipeline.value.deadline, rules.isStopped ? nil : detection?.value.deadline)
    }

    /// Returns the earlier one of two deadlines that may be absent.
    static func earlier(_ one: TrackInstant?, _ other: TrackInstant?) -> TrackInstant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    // MARK: Fixes

    /// Processes the fixes that the policy has admitted.
    mutating func take(_ admitted: PolicyOutcome, _ rules: PositionRules, _ notes: inout StepNotes) {
        if admitted.position != policy.position, admitted.fixes.count > 0 {
            connect(policy.move(to: admitted.position, after: latest), &notes)
        }
        if admitted.mustLook {
            if policy.hasEnded { policy.recording = .on }
            for fix in admitted.fixes.received { look(fix, rules, &notes) }
        } else {
            policy.recording = .on
            process(admitted.fixes, rules, &notes)
        }
        connect(admitted.next, &notes)
    }

    private mutating func process(_ batch: ReceivedBatch, _ rules: PositionRules, _ notes: inout StepNotes) {
        switch batch {
        case .together(let fixes, let moment, let wallClock):
            // A loop over the array would copy each fix.
            let fixes = fixes.span
            for index in fixes.indices { process(fixes[index], at: moment, wallClock, rules, &notes) }
        case .each(let received): for one in received { process(one, rules, &notes) }
        }
    }

    private mutating func process(_ received: ReceivedFix, _ rules: PositionRules, _ notes: inout StepNotes) {
        connect(received.continuity, &notes)
        process(received.fix, at: received.moment, received.wallClock, rules, &notes)
    }

    /// Processes a fix. Where time is the fixes' own, earlier deadlines are processed first.
    private mutating func process(
        _ fix: Fix, at moment: TrackInstant, _ wallClock: Timestamp, _ rules: PositionRules, _ notes: inout StepNotes
    ) {
        guard detection == nil else { return processAndDetect(fix, at: moment, wallClock, rules, &notes) }
        decide(fix, at: moment, wallClock, &notes)
    }

    /// Processes a fix, and passes it to the detector if it passes the gates. A separate function, so that a track
    /// without a detector pays no cost for it.
    @inline(never)
    private mutating func processAndDetect(
        _ fix: Fix, at moment: TrackInstant, _ wallClock: Timestamp, _ rules: PositionRules, _ notes: inout StepNotes
    ) {
        let (before, planned) = (latest, notes.planned.count)
        decide(fix, at: moment, wallClock, &notes)
        detect(after: before, planned, at: moment, rules, &notes)
    }

    @inline(__always)
    private mutating func decide(
        _ fix: Fix, at moment: TrackInstant, _ wallClock: Timestamp, _ notes: inout StepNotes
    ) {
        switch timeBase {
        case .arrival:
            // The first decision is about the fix itself, with its date corrected; later ones are about earlier fixes.
            var own: (time: Timestamp, refusal: RejectionReason?)?
            pipeline.value.process(fix, at: moment, wallClock: wallClock) {
                if own == nil { own = ($0.time, $1.refusalByGates) }
                notes.note($0, $1)
            }
            if let own {
                refusals.note(own.refusal, time: own.time, at: moment, wallClock: wallClock)
            }
        case .fixTime: pipeline.value.replay(fix, wallClock: wallClock) { notes.note($0, $1) }
        }
    }

    /// Passes the newest fix to the detector if it has just passed the gates.
    private mutating func detect(
        after before: Fix?, _ planned: Int, at moment: TrackInstant, _ rules: PositionRules, _ notes: inout StepNotes
    ) {
        guard let fix = latest, fix != before, let hasHistory = detection?.value.hasHistory else { return }
        let observed = DetectorFix(
            fix: fix, isMoving: pipeline.value.isMoving, odometer: pipeline.value.odometer,
            beginsLeg: !hasHistory || notes.planned[planned...].contains { $0.plan.cause == .resumed })
        let found = notes.events.count
        let resumed = detection?.value.observe(observed, at: moment) {
            guard rules.admits($0) else { return }
            notes.note($0, isMoving: observed.isMoving, odometer: observed.odometer)
        }
        if let odometer = resumed.flatMap(\.self) { pipeline.value.exactOdometer = odometer }
        notes.give(context, toEventsFrom: found)
    }

    /// Processes a fix that may be recorded only if the gate admits it, once the object's places are known.
    ///
    /// Tries the fix on copies: a fix that must not be recorded changes only the set of places in which the object is.
    private mutating func look(_ received: ReceivedFix, _ rules: PositionRules, _ notes: inout StepNotes) {
        connect(received.continuity, &notes)
        guard var seen = detection else { return process(received, rules, &notes) }
        var tried = policy.offPlace ?? pipeline
        let before = tried.value.latest
        switch timeBase {
        case .arrival: tried.value.process(received.fix, at: received.moment, wallClock: received.wallClock) { _, _ in }
        case .fixTime: tried.value.replay(received.fix, wallClock: received.wallClock) { _, _ in }
        }
        let passes = tried.value.latest != before
        if let fix = tried.value.latest, passes {
            seen.value.witness(
                DetectorFix(
                    fix: fix, isMoving: false, odometer: pipeline.value.odometer, beginsLeg: policy.isAtOffPlace))
        }
        guard !rules.admits(received.fix, seen.value.context) else {
            policy.recording = .on
            return process(received, rules, &notes)
        }
        // A fix that the gates reject does not show where the object is, and ends no leg.
        if passes {
            if !policy.isAtOffPlace { connect(.newLeg(.offPlace), &notes) }
            policy.recording = .offPlace(tried)
        }
        detection = seen
        notes.noteOff(at: received.fix.time)
    }

    // MARK: Legs

    /// Acts on the connection of the next fix with those before it.
    @inline(__always)
    private mutating func connect(_ continuity: Continuity, _ notes: inout StepNotes) {
        if continuity != .follows { interrupt(continuity, &notes) }
    }

    @inline(never)
    private mutating func interrupt(_ continuity: Continuity, _ notes: inout StepNotes) {
        switch continuity {
        case .follows: break
        case .gap: detection?.value.conceal()
        case .newLeg(.stopped):
            endLeg(&notes)
            detection?.value.interrupt()
        case .newLeg(.offPlace): endLeg(&notes)
        case .newLeg(.elsewhere):
            if latest != nil { endLeg(&notes) }
            pipeline.value.relocate()
            guard var pipeline = policy.offPlace else { return }
            pipeline.value.relocate()
            policy.recording = .offPlace(pipeline)
        }
    }

    /// Decides all undecided fixes; the next fix begins a new leg. Events under way continue.
    private mutating func endLeg(_ notes: inout StepNotes) {
        pipeline.value.interrupt { notes.note($0, $1) }
        refusals.beginAnew()
    }

    /// Ends the leg because recording is off everywhere.
    mutating func switchOff(_ notes: inout StepNotes) {
        policy.recording = .ended
        stopRecording(&notes)
    }

    /// Ends the leg because recording stops: undecided fixes are decided, and no timer fires.
    mutating func stopRecording(_ notes: inout StepNotes) {
        notes.forgetsCheckpoint = true
        connect(.newLeg(.stopped), &notes)
    }

    /// Continues under another configuration; undecided fixes are lost.
    mutating func reconfigure(_ configuration: RecordingConfiguration) {
        pipeline = Box(pipeline.value.reconfigured(configuration))
        if let pipeline = policy.offPlace {
            policy.recording = .offPlace(Box(pipeline.value.reconfigured(configuration)))
        }
        refusals.beginAnew()
    }
}

extension Decision {
    /// The reason why the gates rejected the fix; `nil` if it passed them.
    fileprivate var refusalByGates: RejectionReason? {
        if case .reject(let reason) = self, reason.isOfGates { reason } else { nil }
    }
}
