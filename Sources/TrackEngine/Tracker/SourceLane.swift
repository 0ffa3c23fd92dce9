internal import Logging

/// One source's way through the pipeline into the store.
///
/// Fixes and deadlines go through one at a time. The pipeline is a value: each step works on a copy, which takes the
/// place of the original only when its records are stored, so the reference never moves without a record. It lies in a
/// box, so that a step copies it once.
actor SourceLane {
    /// What a lane needs of its tracker.
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
        /// Keeps true positions from everything behind it.
        let cover: (any PositionCover)?
        /// Knows better than live sources where the object is.
        let authority: (any PositionAuthority)?
        /// Says whether positions may be recorded.
        let gate: (any RecordingGate)?
        /// What is told of the tracker itself: actions and the power supply.
        let told: RecordKinds
    }

    nonisolated let source: any FixSource
    /// The source's, asked for once: it is read with every fix.
    nonisolated let timeBase: TimeBase
    /// Whether the source's fixes can be read again from their start.
    nonisolated let isRecording: Bool
    nonisolated let log: SourceLog
    nonisolated let demand = DemandSignal()
    let environment: Environment
    /// The time of the fix that was recorded last because somebody asked.
    private var requested: Timestamp?
    private var turns = TurnQueue<CheckedContinuation<Void, Never>>()
    let timerSignal = WakeSignal()
    let retrySignal = WakeSignal()
    /// Whether the run ends: nobody waits for a store that cannot write any more.
    var isEnding = false
    var pipeline: Boxed<TrackPipeline>
    /// What finds events in the track, if anything does.
    var detection: Boxed<TrackDetection>?
    /// What an earlier run knew, until it is known whether the pipeline goes on from its checkpoint.
    private var keptState: LaneState?
    /// Whether the store has what the lane knows.
    var isStateKept = true
    /// Whether the store has that the object is where nobody is to know that it is.
    var isConcealmentKept = false
    /// The last checkpoint that the store has: an event without a new position is kept with it.
    var lastCheckpoint: SourceCheckpoint?
    /// Whether the gates refuse all that the source gives; nothing is watched where time is the fixes' own.
    var refusals = RefusalWatch()
    /// Where the store's records of a recording end.
    var progress = RecordingProgress.none
    var armed: TrackInstant?
    /// How many records the store has been asked to keep and has not answered for.
    var storing = 0
    /// How many calls of ``take(_:)`` wait for their turn.
    private var waiting = 0
    /// What the tracker tells of itself in this track.
    var telling: SelfReport
    /// Up to which pause the track has been interrupted.
    var interruptedFor = 0
    /// What judges fixes at a place where they must not be recorded; absent where they may.
    var watching: Boxed<TrackPipeline>?
    /// Whether the leg has ended because the gate is closed.
    var isTrackClosed = false
    /// What the gate was told last.
    var toldContext: RecordContext?
    /// The known position at which the last fixes were used; absent where they were used as they came.
    var placement: KnownPosition?
    /// Whether where the object is is hidden, as far as that is known: it is until a fix has shown that it is not.
    var hidesPlace: Bool
    /// Whether the network may be named.
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

    /// Where the source's fixes go in.
    nonisolated var output: FixOutput {
        FixOutput(
            demand: demand, arrival: arrival,
            take: { [self] fixes throws(CancellationError) in try await take(fixes) },
            report: { [log] in log.note($0) },
            status: { [log] in log.set($0) })
    }

    /// When a fix is received. Where time is the fixes' own, the monotonic clock is not asked: nothing reads its moment.
    private nonisolated var arrival: @Sendable () -> (moment: TrackInstant, wallClock: Timestamp) {
        let (watch, wallClock) = (environment.watch, environment.wallClock)
        return switch timeBase {
        case .arrival: { (watch.now, wallClock()) }
        case .fixTime: { (TrackInstant(nanoseconds: 0), wallClock()) }
        }
    }

    // MARK: State

    /// How the source stands, with moments by the machine's clock.
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
        // Of which recording it is has to be looked up, which may take long and fail: see runSource().
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
        // A recording goes on at the record, any other source after the last fix that was processed.
        if let odometer = keptState?.odometer, !isRecording || keptState?.last == record {
            pipeline.value.exactOdometer = odometer
        }
        keptState = nil
        show(pipeline.value.summary())
        watching = nil
        beginOffWhereKept()
    }

    /// Goes on from what an earlier run knew; in a recording only once it is known to be the same one. What was known under
    /// another cover is not to be known.
    func resume(state bytes: [UInt8]) {
        guard let state = LaneState(bytes) else { return warnOfState() }
        guard state.cover == environment.cover?.signature ?? 0 else { return }
        keptState = state
        guard !isRecording else { return }
        resumeDetection(from: state, after: nil)
        telling.goOn(paused: state.paused, power: state.power)
        beginOffWhereKept()
    }

    /// A recording begins from its start: nothing of it has been observed.
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

    /// Goes on from an odometer reading in metres.
    func resume(odometer metres: Double) {
        pipeline.value.resume(odometer: metres)
        show(pipeline.value.summary())
    }

    func reconfigure(_ configuration: RecordingConfiguration) async {
        await takeTurn()
        var step = newStep()
        step.decideAll()
        try? await commit(step)  // cancelled while stopping: the new configuration is not used any more
        pipeline = Boxed(pipeline.value.reconfigured(configuration))
        watching = watching.map { Boxed($0.value.reconfigured(configuration)) }
        refusals.beginAnew()
        show(pipeline.value.summary())
        leaveTurn()
    }

    // MARK: Turns

    /// Waits until it is the caller's turn; pair it with ``leaveTurn()``.
    func takeTurn() async {
        if !turns.take() { await waitForTurn() }
    }

    /// Apart from ``takeTurn()``, which is inlined without it: most turns are free.
    @inline(never)
    private func waitForTurn() async {
        await withCheckedContinuation { turns.wait($0) }
    }

    func leaveTurn() {
        turns.leave()?.resume()
    }

    // MARK: Fixes

    private func take(_ received: [ReceivedFix]) async throws(CancellationError) {
        // What is asked here is asked with every fix: no call that may wait where nothing is to be waited for.
        if environment.pauses.isClosed, try await !mayTrack(received) { return }
        waiting += 1
        await takeTurn()
        waiting -= 1
        // A pause may have begun while they waited.
        guard !isLive || !environment.pauses.isClosed else {
            leaveTurn()
            return drop(received, .paused)
        }
        do throws(CancellationError) {
            if environment.gate != nil, try await closesTrack(at: received.last) {
                leaveTurn()
                return drop(received, .off)
            }
            // Not before: what is to be hidden may have changed while they waited.
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

    /// Forgets the newest position where it is one that must not be known any more, and all that was found by it: other zones
    /// hold now. What is stored already is not touched.
    func hideCovered(_ configuration: RecordingConfiguration, _ detector: (any EventDetector)?) async {
        await takeTurn()
        // Whatever it has found may have begun at a place that is hidden now.
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

    /// Records the newest known position because somebody asked; returns whether there is one.
    func recordLatest() async throws(CancellationError) -> Fix? {
        await takeTurn()
        var step = newStep()
        let movesReference = step.request()
        // The record that was asked for is there: another one would have its id.
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

    /// Records what the end of the track makes needed, because the source has ended or the tracker stops.
    ///
    /// - Parameters:
    ///   - deadline: until when to try a store that cannot write; without one, until the run ends.
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
        try? await commit(step, before: deadline)  // given up: the next run goes on at the last record
        if isLast { await keepState() }
        leaveTurn()
    }

    /// The run ends: whoever waits for a store that cannot write gives up, so that others get their turn.
    func end() {
        isEnding = true
        retrySignal.raise()
    }

    // MARK: Time

    /// Lets deadlines of a live source fall due, whether or not another fix arrives. Runs until cancelled.
    func runTimers() async {
        guard timeBase == .arrival else { return }
        while !Task.isCancelled {
            armed = deadline
            await timerSignal.wait(for: armed.map(environment.watch.remaining), on: environment.watch.clock)
            guard let deadline, environment.watch.now >= deadline else { continue }
            await fireTimer()
        }
    }

    /// When something falls due, in the pipeline or in the detector.
    private var deadline: TrackInstant? {
        guard !isPaused, let other = detection?.value.deadline else { return pipeline.value.deadline }
        return pipeline.value.deadline.map { min($0, other) } ?? other
    }

    /// Fixes that wait for their turn come before the timer: they came while the store could not write, and may show
    /// that the object moved.
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
        try? await commit(step)  // cancelled while stopping: the deadline falls due again when the source resumes
        leaveTurn()
    }

    /// Waits on the tracker's clock.
    func pause(_ duration: Duration) async throws {
        try await environment.watch.clock.sleep(for: duration)
    }
}
