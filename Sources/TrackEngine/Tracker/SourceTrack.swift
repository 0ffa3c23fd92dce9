internal import Logging

/// The track of one source, with everything that its processor knows of it. A value: it decides what is stored, saved and
/// reported, and its processor waits for the store.
struct SourceTrack: Sendable {
    /// The part that each step copies.
    var state: TrackState
    /// Not a part of the state: it holds whether or not a step is stored.
    private var disclosure: NetworkPrivacy
    private(set) var saved = SavedState()
    /// The earlier run of a recording, until it is known whether its last record is of this recording.
    private var earlier: SavedRun?
    /// The time of the last fix that was recorded on request.
    var requested: Timestamp?
    /// The last context passed to the gate.
    private var notedContext: RecordContext?
    /// The last demand passed to the source.
    private var notedDemand: FixDemand?

    init(_ configuration: RecordingConfiguration, _ environment: SourceProcessorEnvironment) {
        state = TrackState(configuration, environment)
        disclosure = NetworkPrivacy(isHidden: environment.rules.hidesAnything)
    }

    // MARK: An earlier run

    /// Continues from an earlier run. Which recording a checkpoint belongs to is found out later, because that may take
    /// long and fail: see ``SourceLoop``.
    mutating func resume(_ earlier: SavedRun, _ environment: SourceProcessorEnvironment) {
        if earlier.isDamaged { warnOfState(environment) }
        guard environment.isRecording else { return takeUp(earlier, environment) }
        saved.note(earlier.checkpoint)
        if let odometer = earlier.odometer { state.pipeline.value.resume(odometer: odometer) }
        self.earlier = earlier
    }

    /// Continues from the run that made a recording's last record.
    mutating func takeUpEarlierRun(_ environment: SourceProcessorEnvironment) {
        if let earlier { takeUp(earlier, environment) }
    }

    private mutating func takeUp(_ earlier: SavedRun, _ environment: SourceProcessorEnvironment) {
        if !state.resume(earlier, environment) { warnOfState(environment) }
        saved.resume(earlier.checkpoint)
        self.earlier = nil
    }

    private func warnOfState(_ environment: SourceProcessorEnvironment) {
        environment.logger.warning(
            "the state of event detection cannot be read: it begins anew",
            metadata: ["source": "\(environment.source.id)"])
    }

    /// Begins detection anew for a recording that is read from its start.
    mutating func beginRecording(_ environment: SourceProcessorEnvironment) {
        saved.beginRecording()
        earlier = nil
        state.beginDetection(environment.detector, of: environment.source)
    }

    // MARK: Steps

    /// Notes the fixes of a step before it is stored: whether they let records name the network.
    mutating func note(
        _ admitted: PolicyOutcome, _ step: borrowing TrackStep, in log: SourceLog,
        _ environment: SourceProcessorEnvironment
    ) {
        guard disclosure.note(admitted, step, environment) else { return }
        log.update { $0.disclosure = disclosure }
    }

    /// Returns the records of a step and the checkpoint to store with them.
    mutating func drafts(
        of step: borrowing TrackStep, _ environment: SourceProcessorEnvironment
    ) -> (drafts: [RecordDraft], checkpoint: SourceCheckpoint?) {
        if step.notes.forgetsCheckpoint { saved.checkpoint = nil }  // the store is made to forget it
        guard !step.notes.isEmpty else { return ([], nil) }
        let host = disclosure.sample(
            environment, isOff: state.isOff(environment.rules) || step.track.policy.isAtOffPlace,
            newest: step.track.latest?.time)
        let drafts = step.drafts(host, environment)
        let own = step.checkpoint(after: drafts)
        guard let bytes = step.track.saved(under: environment.rules) else { return (drafts, own) }
        return (drafts, (own ?? saved.checkpoint(environment))?.with(detectorState: bytes))
    }

    /// Takes over the result of a step whose records are stored, and reports it.
    ///
    /// - Returns: whether the store must have the state although there may be no record, because the object has entered
    ///   or left a place without recording or is hidden, and the next deadline of a live source.
    mutating func adopt(
        _ step: consuming TrackStep, _ records: [TrackRecord], in log: SourceLog,
        _ environment: SourceProcessorEnvironment
    ) -> (isNews: Bool, deadline: TrackInstant?) {
        let summary = step.track.pipeline.value.summary()
        step.noteStored()
        let hasMoved =
            step.track.policy.isAtOffPlace && (!state.policy.isAtOffPlace || step.track.context != state.context)
        let isNewlyHidden = saved.adopt(step.notes, isHidden: step.track.isConcealed)
        swap(&state, &step.track)
        let steady = state.refusals.steady
        let deadline = show(summary, in: log, environment) { report in
            step.notes.count(into: &report)
            report.steadyRefusal = steady
        }
        step.notes.announce(records, of: environment.source.id, to: environment.publisher.decisions)
        if !records.isEmpty { environment.publisher.stored(records) }
        return (hasMoved || isNewlyHidden, deadline)
    }

    /// Notes that a step was committed, with these records.
    mutating func noteCommit(of records: [TrackRecord], _ checkpoint: SourceCheckpoint?) {
        saved.save(checkpoint, of: state)
        saved.isCurrent = !records.isEmpty
    }

    /// Returns the checkpoint that the store lacks for another run to continue from the present state.
    func unsaved(_ environment: SourceProcessorEnvironment) -> SourceCheckpoint? {
        guard !saved.isCurrent, let bytes = state.saved(under: environment.rules) else { return nil }
        return saved.checkpoint(environment)?.with(detectorState: bytes)
    }

    /// Notes that the store has the present state.
    mutating func noteSaved() { saved.save(state) }

    /// Whether a step is a request whose record exists: another one would have the same id.
    func hasRequested(_ notes: borrowing StepNotes) -> Bool {
        guard let only = notes.planned.first, notes.planned.count == 1 else { return false }
        return only.plan.cause == .requested && only.fix.time == requested
    }

    // MARK: Changes of the rules

    /// Adapts to a gate that has changed.
    mutating func gateChanged(_ rules: PositionRules) {
        state.gateChanged(rules)
        disclosure.isLimited = rules.mayHide
    }

    /// Forgets the newest position if it must be hidden now, and the events found by it, because the hidden areas have
    /// changed. Stored records are not changed.
    mutating func hideCovered(
        under configuration: Tracker.Configuration, _ environment: SourceProcessorEnvironment
    ) {
        // Its events may have begun at a place that is hidden now.
        state.beginDetection(configuration.detector, of: environment.source)
        saved.checkpoint = nil
        disclosure.rulesChanged(environment)
        if state.forgetHidden(configuration.recording, environment.rules) { requested = nil }
    }

    // MARK: The report

    /// Reports the present state. Returns the next deadline of a live source.
    mutating func show(in log: SourceLog, _ environment: SourceProcessorEnvironment) -> TrackInstant? {
        let (summary, disclosure) = (state.pipeline.value.summary(), disclosure)
        return show(summary, in: log, environment) { $0.disclosure = disclosure }
    }

    /// - Parameter change: a further change of the report, made under the same lock, so that readers see both or
    ///   neither.
    private mutating func show(
        _ summary: PipelineSummary, in log: SourceLog, _ environment: SourceProcessorEnvironment,
        _ change: (inout SourceReport) -> Void
    ) -> TrackInstant? {
        let isOff = state.isOff(environment.rules)
        // While recording is off, it suffices to notice that the object leaves.
        let demand = isOff ? state.pipeline.value.restDemand : summary.demand
        if demand != notedDemand {
            notedDemand = demand
            log.demand.set(demand)
        }
        noteContext(environment)
        log.update { report in
            change(&report)
            report.show(summary)
            report.context = isOff ? nil : state.context
            report.hidesPlace = isOff || disclosure.isHidden
        }
        guard environment.rules.isLive else { return nil }
        return TrackState.earlier(summary.deadline, state.detection?.value.deadline)
    }

    /// Notifies the gate of the object's context if it has changed.
    private mutating func noteContext(_ environment: SourceProcessorEnvironment) {
        guard environment.rules.hasGate, let gate = environment.rules.gate, state.context != notedContext else {
            return
        }
        notedContext = state.context
        gate.note(notedContext, of: environment.source.id)
    }
}
