/// Storing the records of a step, and passing them to drains and listeners.
extension SourceProcessor {
    func newStep() -> TrackStep {
        TrackStep(track, keepsDecisions: environment.hub.decisions.hasListeners)
    }

    /// Stores the records of a step if it has some, and takes over its result. Nothing is taken over before the records
    /// are stored.
    func commit(
        _ step: consuming TrackStep, of fixes: [ReceivedFix] = [], movesReference: Bool = true,
        before deadline: TrackInstant? = nil
    ) async throws(CancellationError) {
        if step.notes.forgetsCheckpoint { saved.checkpoint = nil }  // the store is made to forget it
        let records =
            step.notes.isEmpty ? [] : try await store(step, movesReference: movesReference, before: deadline)
        let isNews = adopt(step, records, of: fixes, movesReference: movesReference)
        saved.isCurrent = !records.isEmpty
        if isNews, records.isEmpty { await saveState() }
    }

    /// Takes over the result of a step whose records are stored. Returns whether the lane must save its state although
    /// there may be no record: the object has entered or left a place without recording, or is hidden.
    func adopt(
        _ step: consuming TrackStep, _ records: [TrackRecord] = [], of fixes: [ReceivedFix], movesReference: Bool = true
    ) -> Bool {
        let summary = step.track.pipeline.value.summary()
        if movesReference, let last = step.notes.planned.last?.fix {
            saved.progress = .taken(last)
            if !records.isEmpty { step.track.detection?.value.recorded() }
        }
        let (next, notes) = step.taken()
        let hasMoved =
            next.policy.isAtOffPlace && (!track.policy.isAtOffPlace || next.context != track.context)
        let isNewlyHidden = saved.adopt(isHidden: next.isConcealed, hasFixes: !fixes.isEmpty)
        track = next
        show(summary) { report in
            notes.count(into: &report)
            report.fixes += fixes.count
            report.steadyRefusal = track.refusals.steady
            if let last = fixes.last { report.lastArrival = last.wallClock }
        }
        notes.announce(records, of: source.id, to: environment.hub.decisions)
        if !records.isEmpty { environment.hub.stored(records) }
        return hasMoved || isNewlyHidden
    }

    private func store(
        _ step: borrowing TrackStep, movesReference: Bool, before deadline: TrackInstant?
    ) async throws(CancellationError) -> [TrackRecord] {
        let host = disclosure.sample(
            environment, isOff: isOff || step.track.policy.isAtOffPlace, newest: step.track.latest?.time)
        let drafts = step.drafts(of: source.id, device: environment.device, host)
        // At the step's last position, or at the previous one if the step has none.
        let last = movesReference ? drafts.last { $0.kind == .location } : nil
        var checkpoint = last.map { step.track.pipeline.value.checkpoint(after: $0) }
        if let state = step.track.saved(under: environment.rules) {
            checkpoint = (checkpoint ?? checkpointOfState)?.with(detectorState: state)
        }
        let records = try await appender.append(drafts, checkpoint, before: deadline)
        saved.save(checkpoint, of: step.track)
        return records
    }

    /// The checkpoint for a state without a new checkpoint. A recording without a checkpoint begins from its start.
    private var checkpointOfState: SourceCheckpoint? {
        saved.checkpoint ?? (isRecording ? nil : .withoutPlace(of: source.id, device: environment.device))
    }

    /// Saves the lane's state unless the store has it, for another run to restore before its first fix.
    func saveState() async {
        guard !saved.isCurrent, let state = track.saved(under: environment.rules), let checkpoint = checkpointOfState
        else { return }
        do {
            _ = try await environment.store.append([], checkpoint: checkpoint.with(detectorState: state))
            saved.save(track)
        } catch {
            environment.hub.storeFailed("\(error)")
        }
    }

    // MARK: The report

    /// Reports the state of the track.
    func show() { show(track.pipeline.value.summary()) }

    /// - Parameter change: a further change of the report, made under the same lock, so that readers see both or
    ///   neither.
    private func show(_ summary: PipelineSummary, _ change: (inout SourceReport) -> Void = { _ in }) {
        let isOff = isOff
        // While recording is off, it suffices to notice that the object leaves.
        demand.set(isOff ? track.pipeline.value.restDemand : summary.demand)
        tellGate()
        log.update { report in
            change(&report)
            report.show(summary)
            report.context = isOff ? nil : track.context
            report.hidesPlace = isOff || disclosure.isHidden
        }
        guard environment.rules.isLive else { return }
        arm(summary.deadline)
        arm(track.detection?.value.deadline)
    }

    /// Reports the detector's context. Changes made by a step are reported with the step.
    func showContext() {
        let context = isOff ? nil : track.context
        log.update { $0.context = context }
        tellGate()
    }

    /// Notifies the gate of the object's context if it has changed.
    func tellGate() {
        guard let gate = environment.rules.gate, track.context != toldContext else { return }
        toldContext = track.context
        gate.note(toldContext, of: source.id)
    }
}
