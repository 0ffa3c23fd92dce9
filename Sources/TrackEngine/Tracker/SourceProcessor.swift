/// The path of one source's fixes through policy, pipeline and detector into the store.
///
/// Fixes and deadlines are processed one at a time. The track is a value: each step works on a copy, which replaces the
/// original only when its records are stored. The reference therefore never moves without a record. The processor gives
/// turns and waits; ``SourceTrack`` and ``TrackStep`` decide.
actor SourceProcessor {
    nonisolated let environment: SourceProcessorEnvironment
    nonisolated let log: SourceLog
    nonisolated let writer: StoreRecordWriter
    // Unchecked: no mutation awaits or calls the processor, so none meets another one. The checks cost a thirtieth of the
    // time of a fix.
    @exclusivity(unchecked) private var track: SourceTrack
    @exclusivity(unchecked) private var turns = TurnQueue<CheckedContinuation<Void, Never>>()
    /// The number of ``take(_:)`` calls that wait for their turn.
    private var waiting = 0
    private let timerSignal = WakeSignal()
    @exclusivity(unchecked) private var armed: TrackInstant?

    init(_ configuration: RecordingConfiguration, _ environment: SourceProcessorEnvironment) {
        self.environment = environment
        writer = StoreRecordWriter(environment)
        track = SourceTrack(configuration, environment)
        log = SourceLog(environment.source.id, track.state.pipeline.value.demand)
    }

    nonisolated var source: any FixSource { environment.source }

    /// The receiving end for the source's fixes.
    nonisolated var output: FixOutput {
        FixOutput(
            demand: log.demand, arrival: environment.arrival,
            take: { [self] fixes throws(CancellationError) in try await take(fixes) },
            report: { [log] in log.note($0) },
            status: { [log] in log.set($0) })
    }

    /// The status of the source, with moments by the machine's clock.
    nonisolated var report: SourceReport { log.report(environment) }

    /// Whether recording is off at this moment.
    var isOff: Bool { track.state.isOff(environment.rules) }

    /// The position in a recording up to which the store has records.
    var progress: RecordingProgress { track.saved.progress }

    // MARK: Turns

    /// Waits for the caller's turn; pair it with ``leaveTurn()``.
    private func takeTurn() async {
        if !turns.take() { await waitForTurn() }
    }

    /// Separate from ``takeTurn()``, which is inlined without it: most turns are free.
    @inline(never)
    private func waitForTurn() async {
        await withCheckedContinuation { turns.wait($0) }
    }

    private func leaveTurn() { turns.leave()?.resume() }

    // MARK: Fixes

    private func take(_ received: ReceivedBatch) async throws(CancellationError) {
        // Runs for every fix: no call that may suspend unless there is a reason to wait.
        if environment.rules.pauses.isClosed {
            if environment.rules.isLive { return log.count(received.count, of: received, .paused) }
            try await writer.waitForPause()
        }
        if !turns.take() {
            waiting += 1
            await waitForTurn()
            waiting -= 1
        }
        defer { leaveTurn() }
        // Not earlier: the rules may have changed while the fixes waited.
        let now = environment.rules.conditions(for: received)
        if now.isOff { try await carryOut(.switchOff) }
        switch judge(received, under: now) {
        case .adopted(let isNews): if isNews { await saveState() }
        case .records(let step): try await commit(step)
        }
    }

    /// The result of fixes: a step without records, which is taken over, or one with records to store.
    private enum Outcome: ~Copyable {
        case adopted(isNews: Bool)
        case records(TrackStep)
    }

    /// Processes fixes. Never inlined: in a function that may suspend, a step would be copied several times.
    @inline(never)
    private func judge(_ received: ReceivedBatch, under now: PositionPolicy.Context) -> Outcome {
        let admitted = PositionPolicy.admit(received, under: now, environment.rules)
        if admitted.withheld > 0 { log.count(admitted.withheld, of: received, admitted.reason) }
        guard !now.isStopped else { return .adopted(isNews: false) }
        var step = newStep()
        step.take(admitted, environment)
        if environment.rules.canHide { track.note(admitted, step, in: log, environment) }
        return step.notes.isEmpty ? .adopted(isNews: adopt(step)) : .records(step)
    }

    // MARK: Commands

    /// Performs a command in its turn.
    ///
    /// - Parameter deadline: the deadline for retries with a store that cannot write; without one, the end of the run.
    func perform(_ command: TrackCommand, before deadline: TrackInstant? = nil) async {
        await takeTurn()
        defer { leaveTurn() }
        // Fixes that wait arrived while the store could not write, and may show that the object moved.
        while command == .timeout, waiting > 0 {
            leaveTurn()
            await takeTurn()
        }
        // Cancelled while the tracker stops: the next run continues without the step.
        try? await carryOut(command, before: deadline)
    }

    /// Changes the track in its turn, after a command.
    func change(after command: TrackCommand? = nil, _ body: @Sendable (inout SourceTrack) -> Void) async {
        await takeTurn()
        defer { leaveTurn() }
        if let command { try? await carryOut(command) }  // as above
        adapt(body)
        // Not without need: the runtime frees a cancelled sleep only when its time is over.
        arm(track.state.deadline(environment.rules))
    }

    /// Changes the track before the first fix, or while its source does not run.
    func adapt(_ body: @Sendable (inout SourceTrack) -> Void) {
        body(&track)
        arm(track.show(in: log, environment))
    }

    private func carryOut(
        _ command: TrackCommand, before deadline: TrackInstant? = nil
    ) async throws(CancellationError) {
        var step = newStep()
        guard step.perform(command, environment) else { return }
        var failure: CancellationError?
        do { try await commit(step, before: deadline) } catch { failure = error }
        // After a failure, that of the steps before.
        if command.savesState { await saveState() }
        if let failure { throw failure }
    }

    /// Records the newest known position on request. Returns the fix, or `nil` if there is none.
    func recordLatest() async throws(CancellationError) -> Fix? {
        await takeTurn()
        defer { leaveTurn() }
        var step = newStep()
        step.track.request(&step.notes)
        let latest = step.notes.planned.last?.fix
        if !track.hasRequested(step.notes) {
            try await commit(step)
            track.requested = latest?.time
        }
        return latest
    }

    /// Passes a request to the detector. Returns whether the detector fulfilled it.
    func perform(_ request: EventRequest) async throws(CancellationError) -> Bool {
        await takeTurn()
        defer { leaveTurn() }
        guard !environment.rules.isPaused, !isOff else { return false }
        var step = newStep()
        let isDone = step.track.perform(request, &step.notes)
        try await commit(step)
        await saveState()  // a trip requested before the first fix has no event yet
        return isDone
    }

    // MARK: Steps

    private func newStep() -> TrackStep {
        TrackStep(track.state, keepsDecisions: environment.publisher.decisions.hasListeners)
    }

    /// Stores the records of a step if it has some, and takes over its result. Nothing is taken over before the records
    /// are stored.
    private func commit(
        _ step: consuming TrackStep, before deadline: TrackInstant? = nil
    ) async throws(CancellationError) {
        let (drafts, checkpoint) = track.drafts(of: step, environment)
        let records = drafts.isEmpty ? [] : try await writer.append(drafts, checkpoint, before: deadline)
        let isNews = adopt(step, records)
        track.noteCommit(of: records, checkpoint)
        if isNews, records.isEmpty { await saveState() }
    }

    /// Takes over the result of a step whose records are stored. Returns whether its state must be stored although
    /// there may be no record.
    private func adopt(_ step: consuming TrackStep, _ records: [TrackRecord] = []) -> Bool {
        let (isNews, deadline) = track.adopt(step, records, in: log, environment)
        arm(deadline)
        return isNews
    }

    /// Saves the state unless the store has it, for another run to restore before its first fix.
    private func saveState() async {
        guard let checkpoint = track.unsaved(environment), await writer.save(checkpoint) else { return }
        track.noteSaved()
    }

    // MARK: Deadlines

    /// Processes the deadlines of a live source, whether or not another fix arrives. Runs until cancelled.
    func runTimers() async {
        guard environment.rules.isLive else { return }
        while !Task.isCancelled {
            armed = track.state.deadline(environment.rules)
            await timerSignal.wait(for: armed.map(environment.watch.remaining), on: environment.watch.clock)
            guard let due = track.state.deadline(environment.rules), environment.watch.now >= due else { continue }
            await perform(.timeout)
        }
    }

    /// Wakes ``runTimers()`` if a deadline is earlier than the one for which it waits.
    private func arm(_ deadline: TrackInstant?) {
        if let deadline, armed.map({ deadline < $0 }) ?? true { timerSignal.raise() }
    }
}
