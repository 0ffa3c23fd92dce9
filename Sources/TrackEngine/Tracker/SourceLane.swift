internal import Logging

/// The path of one source's fixes through the pipeline into the store.
///
/// Fixes and deadlines are processed one at a time. The pipeline is a value: each step works on a copy, which replaces
/// the original only when its records are stored. The reference therefore never moves without a record. The pipeline is
/// boxed, and a step copies it only once.
actor SourceLane {
    /// The tracker's resources that a lane uses.
    struct Environment: Sendable {
        let device: DeviceID
        let store: any FixStore
        let watch: MonotonicClock
        let wallClock: @Sendable () -> Timestamp
        let hostStatus: @Sendable () -> HostStatus?
        let logger: Logger
        let hub: RecordHub
        let pauses: PauseGate
        /// Finds events in a source's track; each lane has a copy.
        let detector: (any EventDetector)?
        /// Hides true positions from the engine.
        let cover: (any PositionCover)?
        /// Overrides the fixes of live sources with a known position.
        let authority: (any PositionAuthority)?
        /// Decides whether positions may be recorded.
        let gate: (any RecordingGate)?
        /// The kinds of the tracker's own events to record: actions and the power supply.
        let told: RecordKinds
    }

    nonisolated let source: any FixSource
    /// The source's time base, read once because it is needed for every fix.
    nonisolated let timeBase: TimeBase
    /// Whether the source's fixes can be read again from their start.
    nonisolated let isRecording: Bool
    nonisolated let log: SourceLog
    nonisolated let demand = DemandSignal()
    let environment: Environment
    /// The time of the last fix that was recorded on request.
    private var requested: Timestamp?
    private var turns = TurnQueue<CheckedContinuation<Void, Never>>()
    let timerSignal = WakeSignal()
    let retrySignal = WakeSignal()
    /// Whether the run ends: no caller waits any longer for a store that cannot write.
    var isEnding = false
    var pipeline: Boxed<TrackPipeline>
    /// Finds events in the track; absent without a detector.
    var detection: Boxed<TrackDetection>?
    /// The state of an earlier run, until the lane knows whether the pipeline continues from its checkpoint.
    private var keptState: LaneState?
    /// Whether the store has the lane's present state.
    var isStateKept = true
    /// Whether the store has a state with the object hidden.
    var isConcealmentKept = false
    /// The last checkpoint in the store; an event without a new position is stored with it.
    var lastCheckpoint: SourceCheckpoint?
    /// Watches whether the gates reject every fix of the source; unused where time is the fixes' own.
    var refusals = RefusalWatch()
    /// The position in a recording up to which the store has records.
    var progress = RecordingProgress.none
    var armed: TrackInstant?
    /// The number of records in an append that the store has not completed.
    var storing = 0
    /// The number of ``take(_:)`` calls that wait for their turn.
    private var waiting = 0
    /// The tracker's own events in this track.
    var telling: SelfReport
    /// The number of the last pause for which the track was interrupted.
    var interruptedFor = 0
    /// The pipeline for fixes at a place where they must not be recorded; absent while fixes may be recorded.
    var watching: Boxed<TrackPipeline>?
    /// Whether the leg has ended because the gate is closed.
    var isTrackClosed = false
    /// The last context passed to the gate.
    var toldContext: RecordContext?
    /// The known position at which the last fixes were used; absent if they were used unchanged.
    var placement: KnownPosition?
    /// Whether the object's position is hidden, as far as known; `true` until a fix has shown otherwise.
    var hidesPlace: Bool
    /// Decides whether records may name the network.
    var secrecy = NetworkSecrecy()

    init(_ source: any FixSource, configuration: RecordingConfiguration, environment: Environment) {
        self.source = source
        timeBase = source.timeBase
        isRecording = source is any RecordedSource
        self.environment = environment
        log = SourceLog(id: source.id)
        pipeline = Boxed(TrackPipeline(configuration, timeBase: timeBase))
        detection = environment.detector.map { Boxed(TrackDetection($0, of: source)) }
        hidesPlace = environment.cover?.hidesAnything == true
        telling = SelfReport(source.timeBase == .arrival ? environment.told : [])
        demand.set(pipeline.value.demand)
    }

    /// The receiving end for the source's fixes.
    nonisolated var output: FixOutput {
        FixOutput(
            demand: demand, arrival: arrival,
            take: { [self] fixes throws(CancellationError) in try await take(fixes) },
            report: { [log] in log.note($0) },
            status: { [log] in log.set($0) })
    }

    /// Returns the moment at which a fix is received. Where time is the fixes' own, the monotonic clock is not read,
    /// because no code uses the moment.
    private nonisolated var arrival: @Sendable () -> (moment: TrackInstant, wallClock: Timestamp) {
        let (watch, wallClock) = (environment.watch, environment.wallClock)
        return switch timeBase {
        case .arrival: { (watch.now, wallClock()) }
        case .fixTime: { (TrackInstant(nanoseconds: 0), wallClock()) }
        }
    }

    // MARK: State

    /// The status of the source, with moments by the machine's clock.
    nonisolated var report: SourceReport {
        var report = log.current
        if timeBase == .arrival, let rest = report.restDeadline {
            let wait = environment.watch.remaining(until: rest.moment)
            report.nextRest = NextRest(rest.state, due: environment.wallClock().advanced(by: wait))
        }
        report.restDeadline = nil
        if timeBase == .arrival, !report.secrecy.isShown(at: environment.watch.now) { report.hidesPlace = true }
        return report
    }

    func resume(from checkpoint: SourceCheckpoint) {
        // Finding out which recording the checkpoint belongs to may take long and fail: see runSource().
        if isRecording {
            progress = .stored(checkpoint)
            return
        }
        takeUp(checkpoint)
    }

    func takeUp(_ checkpoint: SourceCheckpoint) {
        lastCheckpoint = checkpoint
        let record = checkpoint.last.fix.time
        if let keptState, isRecording { resumeDetection(from: keptState, after: record) }
        pipeline.value.resume(
            from: checkpoint, at: environment.watch.now, wallClock: environment.wallClock(),
            isAhead: isRecording)
        // A recording continues at the record, any other source after the last fix that was processed.
        if let odometer = keptState?.odometer, !isRecording || keptState?.last == record {
            pipeline.value.exactOdometer = odometer
        }
        keptState = nil
        show(pipeline.value.summary())
        watching = nil
        beginOffWhereKept()
    }

    /// Continues from the state of an earlier run; a recording only after it is confirmed as the same one. A state from
    /// under a different cover is dropped.
    func resume(state bytes: [UInt8]) {
        guard let state = LaneState(bytes) else { return warnOfState() }
        guard state.cover == environment.cover?.signature ?? 0 else { return }
        keptState = state
        guard !isRecording else { return }
        resumeDetection(from: state, after: nil)
        telling.goOn(paused: state.paused, power: state.power)
        beginOffWhereKept()
    }

    /// Begins detection anew for a recording that is read from its start.
    func beginDetection() {
        keptState = nil
        detection = environment.detector.map { newDetection($0) }
        showContext()
    }

    func newDetection(_ detector: any EventDetector) -> Boxed<TrackDetection> {
        Boxed(TrackDetection(detector, of: source))
    }

    private func resumeDetection(from state: LaneState, after record: Timestamp?) {
        if detection?.value.resume(from: state, after: record) == false { warnOfState() }
        showContext()
    }

    private func warnOfState() {
        environment.logger.warning(
            "the state of event detection cannot be read: it begins anew", metadata: ["source": "\(source.id)"])
    }

    /// Continues from an odometer reading in metres.
    func resume(odometer metres: Double) {
        pipeline.value.resume(odometer: metres)
        show(pipeline.value.summary())
    }

    func reconfigure(_ configuration: RecordingConfiguration) async {
        await takeTurn()
        var step = newStep()
        step.decideAll()
        try? await commit(step)  // cancelled while stopping: the new configuration is no longer used
        pipeline = Boxed(pipeline.value.reconfigured(configuration))
        watching = watching.map { Boxed($0.value.reconfigured(configuration)) }
        refusals.beginAnew()
        show(pipeline.value.summary())
        leaveTurn()
    }

    // MARK: Turns

    /// Waits for the caller's turn; pair it with ``leaveTurn()``.
    func takeTurn() async {
        if !turns.take() { await waitForTurn() }
    }

    /// Separate from ``takeTurn()``, which is inlined without it: most turns are free.
    @inline(never)
    private func waitForTurn() async {
        await withCheckedContinuation { turns.wait($0) }
    }

    func leaveTurn() {
        turns.leave()?.resume()
    }

    // MARK: Fixes

    private func take(_ received: [ReceivedFix]) async throws(CancellationError) {
        // Runs for every fix: no call that may suspend unless there is a reason to wait.
        if environment.pauses.isClosed, try await !mayTrack(received) { return }
        waiting += 1
        await takeTurn()
        waiting -= 1
        // A pause may have begun while the fixes waited.
        guard !isLive || !environment.pauses.isClosed else {
            leaveTurn()
            return drop(received, .paused)
        }
        do throws(CancellationError) {
            if environment.gate != nil, try await closesTrack(at: received.last) {
                leaveTurn()
                return drop(received, .off)
            }
            // Not earlier: the hidden areas may have changed while the fixes waited.
            let used = self.used(received, at: knownPosition)
            let fixes = used.fixes
            var step = newStep()
            if isInterruptionDue { interrupt(&step) }
            resume(&step)
            if !fixes.isEmpty { place(&step, at: used.position) }
            judge(fixes, &step)
            if used.endsHidden { step.conceal() }
            noteSecrecy(fixes, step)
            notePower(&step)
            if step.isEmpty {
                if adopt(step, of: fixes) { await keepState() }
            } else {
                try await commit(step, of: fixes)
            }
        } catch {
            leaveTurn()
            throw error
        }
        leaveTurn()
    }

    /// Forgets the newest position if it must be hidden now, and the events found by it, because the hidden areas have
    /// changed. Stored records are not changed.
    func hideCovered(_ configuration: RecordingConfiguration, _ detector: (any EventDetector)?) async {
        await takeTurn()
        // Its events may have begun at a place that is hidden now.
        detection = detector.map { newDetection($0) }
        lastCheckpoint = nil
        hidesPlace = environment.cover?.hidesAnything == true  // until the next fix
        secrecy.hide(environment.hostStatus()?.wifi)
        if let latest = pipeline.value.latest, environment.cover?.covered(latest) != latest {
            let odometer = pipeline.value.odometer
            pipeline = Boxed(TrackPipeline(configuration, timeBase: timeBase))
            pipeline.value.resume(odometer: odometer)
            (requested, watching) = (nil, nil)
            telling.forgetPlace()
            show(pipeline.value.summary())
        }
        showContext()
        leaveTurn()
    }

    /// Records the newest known position on request. Returns the fix, or `nil` if there is none.
    func recordLatest() async throws(CancellationError) -> Fix? {
        await takeTurn()
        var step = newStep()
        let movesReference = step.request()
        // The requested record exists: another one would have the same id.
        if let only = step.planned.first, step.planned.count == 1, only.plan.cause == .requested,
            only.fix.time == requested
        {
            leaveTurn()
            return only.fix
        }
        let fix = step.planned.last?.fix
        do throws(CancellationError) {
            try await commit(step, movesReference: movesReference)
        } catch {
            leaveTurn()
            throw error
        }
        requested = fix?.time
        leaveTurn()
        return fix
    }

    /// Makes the records due at the end of the track, because the source has ended or the tracker stops.
    ///
    /// - Parameters:
    ///   - deadline: the deadline for retries with a store that cannot write; without one, the end of the run.
    ///   - isLast: whether the tracker stops.
    ///   - endsRecording: whether the source was a recording that has come to its end.
    func decideAll(
        before deadline: TrackInstant? = nil, isLast: Bool = false, endsRecording: Bool = false
    ) async {
        await takeTurn()
        var step = newStep()
        step.decideAll()
        if endsRecording { step.end() }
        if isLast, !isPaused { tellEnd(&step) }
        try? await commit(step, before: deadline)  // given up: the next run continues at the last record
        if isLast { await keepState() }
        leaveTurn()
    }

    /// Ends the run: calls that wait for a store that cannot write give up, and others get their turn.
    func end() {
        isEnding = true
        retrySignal.raise()
    }

    // MARK: Time

    /// Processes the deadlines of a live source, whether or not another fix arrives. Runs until cancelled.
    func runTimers() async {
        guard timeBase == .arrival else { return }
        while !Task.isCancelled {
            armed = deadline
            await timerSignal.wait(for: armed.map(environment.watch.remaining), on: environment.watch.clock)
            guard let deadline, environment.watch.now >= deadline else { continue }
            await fireTimer()
        }
    }

    /// The next deadline of the pipeline or the detector.
    private var deadline: TrackInstant? {
        guard !isPaused, let other = detection?.value.deadline else { return pipeline.value.deadline }
        return pipeline.value.deadline.map { min($0, other) } ?? other
    }

    /// Processes a deadline. Fixes that wait for their turn come first: they arrived while the store could not write,
    /// and may show that the object moved.
    private func fireTimer() async {
        await takeTurn()
        while waiting > 0 {
            leaveTurn()
            await takeTurn()
        }
        var step = newStep()
        if isInterruptionDue {
            interrupt(&step)
        } else if !isPaused {
            step.timeout(at: environment.watch.now)
        }
        if !isPaused { notePower(&step) }
        try? await commit(step)  // cancelled while stopping: the deadline fires again when the source resumes
        leaveTurn()
    }

    /// Sleeps on the tracker's clock.
    func pause(_ duration: Duration) async throws {
        try await environment.watch.clock.sleep(for: duration)
    }
}
