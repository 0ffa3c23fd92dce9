internal import Logging

/// One source's way through the pipeline into the store.
///
/// Fixes and deadlines go through one at a time. The pipeline is a value: each step works on a copy, which takes the
/// place of the original only when its records are stored, so the reference never moves without a record.
actor SourceLane {
    /// What a lane needs of its tracker.
    struct Environment: Sendable {
        let device: DeviceID
        let store: any FixStore
        let watch: MonotonicClock
        let wallClock: @Sendable () -> Timestamp
        let hostStatus: @Sendable () -> HostStatus?
        let logger: Logger
        let decisions: Broadcast<TrackerDecision>
        let stored: @Sendable ([TrackRecord]) async -> Void
        let storeFailed: @Sendable (String?) -> Void
    }

    nonisolated let source: any FixSource
    nonisolated let log: SourceLog
    nonisolated let demand = DemandSignal()
    private let environment: Environment
    private let turns = SerialGate()
    private let timerSignal = WakeSignal()
    private let retrySignal = WakeSignal()
    /// Whether the run ends: nobody waits for a store that cannot write any more.
    private var isEnding = false
    private var pipeline: TrackPipeline
    /// Where the store's records of a recording end.
    private var progress = RecordingProgress.none
    private var armed: TrackInstant?
    /// How many records the store has been asked to keep and has not answered for.
    private(set) var storing = 0
    /// How many calls of ``take(_:)`` wait for their turn.
    private var waiting = 0

    init(_ source: any FixSource, configuration: TrackerConfiguration, environment: Environment) {
        self.source = source
        self.environment = environment
        log = SourceLog(id: source.id)
        pipeline = TrackPipeline(configuration, timeBase: source.timeBase)
        demand.set(pipeline.demand)
    }

    /// Where the source's fixes go in.
    nonisolated var output: FixOutput {
        FixOutput(
            demand: demand, arrival: { [environment] in (environment.watch.now, environment.wallClock()) },
            take: { [self] fixes throws(CancellationError) in try await take(fixes) },
            report: { [log] in log.note($0) },
            status: { [log] in log.set($0) })
    }

    // MARK: State

    func resume(from checkpoint: SourceCheckpoint) {
        // Of which recording it is has to be looked up, which may take long and fail: see runSource().
        if source is any RecordedSource {
            progress = .stored(checkpoint)
            return
        }
        takeUp(checkpoint)
    }

    private func takeUp(_ checkpoint: SourceCheckpoint) {
        pipeline.resume(
            from: checkpoint, at: environment.watch.now, wallClock: environment.wallClock(),
            isAhead: source is any RecordedSource)
        show(pipeline)
    }

    /// Goes on from an odometer reading in metres.
    func resume(odometer metres: Double) {
        pipeline.resume(odometer: metres)
        show(pipeline)
    }

    func reconfigure(_ configuration: TrackerConfiguration) async {
        await turns.enter()
        var step = newStep()
        step.decideAll()
        try? await commit(step)  // cancelled while stopping: the new configuration is not used any more
        pipeline = pipeline.reconfigured(configuration)
        show(pipeline)
        await turns.leave()
    }

    // MARK: Recordings

    /// Where the store's records of a recording end.
    private enum RecordingProgress {
        /// There are none, or the source is no recording.
        case none
        /// An earlier run's last record, of this or another recording. To `taken` or `none`.
        case stored(SourceCheckpoint)
        /// The last record of this recording.
        case taken(Fix)
    }

    /// Runs the source once: a recording after its last record in the store, all others from their start.
    func runSource() async throws {
        guard let recording = source as? any RecordedSource else { return try await source.run(output) }
        if case .stored(let checkpoint) = progress {
            if try await recording.holds(checkpoint.last.fix) {
                takeUp(checkpoint)
                progress = .taken(checkpoint.last.fix)
                environment.logger.info("goes on after the last record", metadata: ["source": "\(source.id)"])
            } else {
                progress = .none
            }
        }
        guard case .taken(let fix) = progress, try await recording.holds(fix) else {
            return try await recording.run(output)
        }
        try await recording.run(output, after: fix)
    }

    // MARK: Fixes

    private func take(_ fixes: [ReceivedFix]) async throws(CancellationError) {
        waiting += 1
        await turns.enter()
        waiting -= 1
        do throws(CancellationError) {
            var step = newStep()
            for fix in fixes { step.process(fix, timeBase: source.timeBase) }
            try await commit(step)
            log.update { report in
                report.fixes += fixes.count
                report.lastArrival = fixes.last?.wallClock
            }
        } catch {
            await turns.leave()
            throw error
        }
        await turns.leave()
    }

    /// Records the newest known position because somebody asked; returns whether there is one.
    func recordLatest() async throws(CancellationError) -> Fix? {
        await turns.enter()
        var step = newStep()
        let movesReference = step.request()
        do throws(CancellationError) {
            try await commit(step, movesReference: movesReference)
        } catch {
            await turns.leave()
            throw error
        }
        await turns.leave()
        return step.planned.last?.fix
    }

    /// Records what the end of the track makes needed, because the source has ended or the tracker stops.
    ///
    /// - Parameter deadline: until when to try a store that cannot write; without one, until the run ends.
    func decideAll(before deadline: TrackInstant? = nil) async {
        await turns.enter()
        var step = newStep()
        step.decideAll()
        try? await commit(step, before: deadline)  // given up: the next run goes on at the last record
        await turns.leave()
    }

    /// The run ends: whoever waits for a store that cannot write gives up, so that others get their turn.
    func end() {
        isEnding = true
        retrySignal.raise()
    }

    // MARK: Time

    /// Lets deadlines of a live source fall due, whether or not another fix arrives. Runs until cancelled.
    func runTimers() async {
        guard source.timeBase == .arrival else { return }
        while !Task.isCancelled {
            armed = pipeline.deadline
            await timerSignal.wait(for: armed.map(environment.watch.remaining), on: environment.watch.clock)
            guard let deadline = pipeline.deadline, environment.watch.now >= deadline else { continue }
            await fireTimer()
        }
    }

    /// Fixes that wait for their turn come before the timer: they came while the store could not write, and may show
    /// that the object moved.
    private func fireTimer() async {
        await turns.enter()
        while waiting > 0 {
            await turns.leave()
            await turns.enter()
        }
        var step = newStep()
        step.timeout(at: environment.watch.now)
        try? await commit(step)  // cancelled while stopping: the deadline falls due again when the source resumes
        await turns.leave()
    }

    /// Waits on the tracker's clock.
    func pause(_ duration: Duration) async throws {
        try await environment.watch.clock.sleep(for: duration)
    }

    // MARK: Committing

    private func newStep() -> Step { Step(pipeline, keepsDecisions: environment.decisions.hasListeners) }

    private func commit(
        _ step: Step, movesReference: Bool = true, before deadline: TrackInstant? = nil
    ) async throws(CancellationError) {
        let records = try await store(step, movesReference: movesReference, before: deadline)
        pipeline = step.pipeline
        if movesReference, let last = step.planned.last?.fix { progress = .taken(last) }
        show(pipeline)
        log.update { step.count(into: &$0) }
        announce(step, records)
        if !records.isEmpty { await environment.stored(records) }
    }

    /// Stores the step's records, however long it takes until the store can, but no longer than the run and, where
    /// there is one, the deadline; nothing is taken before.
    private func store(
        _ step: Step, movesReference: Bool, before deadline: TrackInstant?
    ) async throws(CancellationError) -> [TrackRecord] {
        guard !step.planned.isEmpty else { return [] }
        let host = environment.hostStatus()
        let drafts = step.planned.map { fix, plan in
            plan.draft(of: fix, device: environment.device, source: source.id, host: host)
        }
        let checkpoint = movesReference ? drafts.last.map(step.pipeline.checkpoint) : nil
        var tried = 0
        storing = drafts.count
        defer { storing = 0 }
        while true {
            do {
                let records = try await environment.store.append(drafts, checkpoint: checkpoint)
                if tried > 0 { environment.storeFailed(nil) }
                return records
            } catch {
                if Task.isCancelled || error.code == .closed { throw CancellationError() }
                tried += 1
                if tried == 1 {
                    environment.logger.error("cannot store", metadata: ["error": "\(error)"])
                    environment.storeFailed("\(error)")
                }
                try await waitToRetry(tried: tried, before: deadline)
            }
        }
    }

    private func waitToRetry(tried: Int, before deadline: TrackInstant?) async throws(CancellationError) {
        var wait = Backoff(maximum: .seconds(10)).wait(tried: tried)
        if let deadline {
            wait = min(wait, environment.watch.remaining(until: deadline))
            if wait <= .zero { throw CancellationError() }
        } else if isEnding {
            throw CancellationError()
        }
        await retrySignal.wait(for: wait, on: environment.watch.clock)
        if Task.isCancelled || isEnding && deadline == nil { throw CancellationError() }
    }

    private func show(_ pipeline: TrackPipeline) {
        demand.set(pipeline.demand)
        log.update { report in
            report.latest = pipeline.latest
            report.isMoving = pipeline.isMoving
            report.odometer = pipeline.odometer
            report.undecided = pipeline.hasUndecided ? pipeline.planRequestedRecord() : nil
            report.isStandby = pipeline.isStandby
        }
        guard let deadline = pipeline.deadline else { return }
        if armed.map({ deadline < $0 }) ?? true { timerSignal.raise() }
    }

    private func announce(_ step: Step, _ records: [TrackRecord]) {
        guard environment.decisions.hasListeners else { return }
        guard step.keepsDecisions else {
            // Somebody began to listen while the store took its time.
            for record in records { environment.decisions.send(.recorded(record)) }
            return
        }
        var stored = records.makeIterator()
        for (fix, decision) in step.decisions {
            switch decision {
            case .record: if let record = stored.next() { environment.decisions.send(.recorded(record)) }
            case .reject(let reason): environment.decisions.send(.rejected(fix: fix, source: source.id, reason: reason))
            case .undecided: break  // what becomes of it is counted, and told as a record if it becomes one
            case .standby: environment.decisions.send(.standby(source.id))
            }
        }
    }
}
