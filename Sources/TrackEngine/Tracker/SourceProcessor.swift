internal import Logging

/// The path of one source's fixes through policy, pipeline and detector into the store.
///
/// Fixes and deadlines are processed one at a time. The track is a value: each step works on a copy, which replaces the
/// original only when its records are stored. The reference therefore never moves without a record.
actor SourceProcessor {
    nonisolated let source: any FixSource
    /// Whether the source's fixes can be read again from their start.
    nonisolated let isRecording: Bool
    nonisolated let log: SourceLog
    nonisolated let demand = DemandSignal()
    nonisolated let environment: SourceProcessorEnvironment
    nonisolated let appender: StoreRecordWriter
    var track: TrackState
    /// Not a part of the track: it holds whether or not a step is stored.
    var disclosure: NetworkPrivacy
    var saved = SavedState()
    /// The earlier run of a recording, until it is known whether its last record is of this recording.
    private var earlier: SavedRun?
    /// The time of the last fix that was recorded on request.
    private var requested: Timestamp?
    /// The last context passed to the gate.
    var toldContext: RecordContext?
    private var turns = TurnQueue<CheckedContinuation<Void, Never>>()
    /// The number of ``take(_:)`` calls that wait for their turn.
    private var waiting = 0
    private let timerSignal = WakeSignal()
    private var armed: TrackInstant?

    init(_ source: any FixSource, configuration: RecordingConfiguration, environment: SourceProcessorEnvironment) {
        self.source = source
        isRecording = source is any RecordedSource
        self.environment = environment
        appender = StoreRecordWriter(environment)
        log = SourceLog(id: source.id)
        track = TrackState(configuration, of: source, environment)
        disclosure = NetworkPrivacy(isHidden: environment.rules.hidesAnything)
        demand.set(track.pipeline.value.demand)
    }

    /// The receiving end for the source's fixes.
    nonisolated var output: FixOutput {
        FixOutput(
            demand: demand, arrival: environment.arrival(source.timeBase),
            take: { [self] fixes throws(CancellationError) in try await take(fixes) },
            report: { [log] in log.note($0) },
            status: { [log] in log.set($0) })
    }

    /// The status of the source, with moments by the machine's clock.
    nonisolated var report: SourceReport { log.report(source.timeBase, environment) }

    /// Whether recording is off at this moment.
    var isOff: Bool { track.isOff(environment.rules) }

    // MARK: An earlier run

    /// Continues from an earlier run. Which recording a checkpoint belongs to is found out later, because that may take
    /// long and fail: see ``SourceLoop``.
    func resume(_ checkpoint: SourceCheckpoint?, odometer: Double?, state: [UInt8]?) {
        let earlier = SavedRun(checkpoint, odometer: odometer, state: state, under: environment.rules)
        if earlier.isDamaged { warnOfState() }
        guard isRecording else { return takeUp(earlier) }
        if let checkpoint = earlier.checkpoint { saved.progress = .stored(checkpoint) }
        if let odometer { track.pipeline.value.resume(odometer: odometer) }
        self.earlier = earlier
        show()
    }

    /// Continues from the run that made a recording's last record.
    func takeUpEarlierRun() { if let earlier { takeUp(earlier) } }

    private func takeUp(_ earlier: SavedRun) {
        if !track.resume(earlier, isRecording: isRecording, environment) { warnOfState() }
        saved.resume(earlier)
        self.earlier = nil
        show()
    }

    private func warnOfState() {
        environment.logger.warning(
            "the state of event detection cannot be read: it begins anew", metadata: ["source": "\(source.id)"])
    }

    /// Begins detection anew for a recording that is read from its start.
    func beginRecording() {
        saved.beginRecording()
        earlier = nil
        track.beginDetection(environment.detector, of: source)
        showContext()
    }

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

    private func take(_ received: [ReceivedFix]) async throws(CancellationError) {
        // Runs for every fix: no call that may suspend unless there is a reason to wait.
        if environment.rules.pauses.isClosed, try await !passesPause(received) { return }
        waiting += 1
        await takeTurn()
        waiting -= 1
        defer { leaveTurn() }
        // Not earlier: the rules may have changed while the fixes waited.
        let now = environment.rules.conditions(for: received)
        if now.isOff { try await switchOff() }
        let admitted = PositionPolicy.admit(received, under: now, environment.rules)
        if admitted.withheld > 0 { log.count(admitted.withheld, of: received, admitted.reason) }
        guard !now.isStopped else { return }
        var step = newStep()
        step.take(admitted, environment)
        if environment.rules.canHide, disclosure.note(admitted, step, environment) {
            log.update { $0.disclosure = disclosure }
        }
        if step.notes.isEmpty {
            if adopt(step, of: admitted.fixes) { await saveState() }
        } else {
            try await commit(step, of: admitted.fixes)
        }
    }

    /// Waits for the end of a pause with fixes of a recording; drops fixes of a live source. Returns whether the fixes
    /// may be used.
    private func passesPause(_ received: [ReceivedFix]) async throws(CancellationError) -> Bool {
        if environment.rules.isLive {
            log.count(received.count, of: received, .paused)
            return false
        }
        while environment.rules.pauses.isClosed {
            if Task.isCancelled || appender.isEnding { throw CancellationError() }
            await environment.rules.pauses.waitUntilOpen()
        }
        return true
    }

    /// Ends the leg because recording is off everywhere, unless it has ended.
    private func switchOff() async throws(CancellationError) {
        guard !track.policy.hasEnded else { return }
        var step = newStep()
        step.track.switchOff(&step.notes)
        try await commit(step)
        await saveState()
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
        await carryOut(command, before: deadline)
    }

    /// Changes the track in its turn, after a command.
    func change(after command: TrackCommand? = nil, _ body: @Sendable (inout TrackState) -> Void) async {
        await takeTurn()
        defer { leaveTurn() }
        if let command { await carryOut(command) }
        body(&track)
        show()
        timerSignal.raise()
    }

    /// Performs a command. A step that is cancelled while the tracker stops is given up: the next run continues without
    /// it.
    private func carryOut(_ command: TrackCommand, before deadline: TrackInstant? = nil) async {
        var step = newStep()
        guard step.perform(command, environment) else { return }
        try? await commit(step, before: deadline)  // cancelled while stopping
        if command.savesState { await saveState() }
    }

    /// Processes the deadlines of a live source, whether or not another fix arrives. Runs until cancelled.
    func runTimers() async {
        guard environment.rules.isLive else { return }
        while !Task.isCancelled {
            armed = track.deadline(environment.rules)
            await timerSignal.wait(for: armed.map(environment.watch.remaining), on: environment.watch.clock)
            guard let due = track.deadline(environment.rules), environment.watch.now >= due else { continue }
            await perform(.timeout)
        }
    }

    /// Wakes ``runTimers()`` if a deadline is earlier than the one for which it waits.
    func arm(_ deadline: TrackInstant?) {
        if let deadline, armed.map({ deadline < $0 }) ?? true { timerSignal.raise() }
    }

    /// Records the newest known position on request. Returns the fix, or `nil` if there is none.
    func recordLatest() async throws(CancellationError) -> Fix? {
        await takeTurn()
        defer { leaveTurn() }
        var step = newStep()
        let movesReference = step.track.request(&step.notes)
        let planned = step.notes.planned
        // The requested record exists: another one would have the same id.
        if let only = planned.first, planned.count == 1, only.plan.cause == .requested, only.fix.time == requested {
            return only.fix
        }
        try await commit(step, movesReference: movesReference)
        requested = planned.last?.fix.time
        return planned.last?.fix
    }

    /// Passes a request to the detector. Returns whether the detector fulfilled it.
    func perform(_ request: EventRequest) async throws(CancellationError) -> Bool {
        await takeTurn()
        defer { leaveTurn() }
        guard !environment.rules.isPaused, !isOff else { return false }
        var step = newStep()
        let isDone = step.track.perform(request, &step.notes)
        saved.isCurrent = false
        try await commit(step)
        await saveState()  // a trip requested before the first fix has no event yet
        return isDone
    }

    // MARK: Changes

    /// Handles a change of the gate: ends the leg, and updates the source's demand.
    func gateChanged() async {
        await takeTurn()
        defer { leaveTurn() }
        if track.gateChanged(environment.rules) { try? await switchOff() }  // while stopping: the next run begins so
        disclosure.isLimited = environment.rules.mayHide
        log.update { $0.disclosure = disclosure }
        show()
    }

    /// Forgets the newest position if it must be hidden now, and the events found by it, because the hidden areas have
    /// changed. Stored records are not changed.
    func hideCovered(_ configuration: RecordingConfiguration, _ detector: (any EventDetector)?) async {
        await takeTurn()
        defer { leaveTurn() }
        // Its events may have begun at a place that is hidden now.
        track.beginDetection(detector, of: source)
        saved.checkpoint = nil
        disclosure.rulesChanged(environment)
        if track.forgetHidden(configuration, environment.rules) {
            requested = nil
            show()
        }
        showContext()
    }
}
