internal import Logging

/// The engine: takes fixes from its sources, decides which become records, stores them, and delivers them to its sinks.
///
/// ```swift
/// let configuration = Tracker.Configuration(
///     device: "van-7", store: InMemoryFixStore(), sources: [source], sinks: [SinkBinding(sink)])
/// let tracker = try Tracker(configuration: configuration)
/// try await tracker.run()
/// ```
///
/// ``run(until:)`` needs a task of its own; it returns after ``stop()`` and throws when the store cannot be used. All
/// other methods may be called from any task at any time. The counterparts of CalmGeo's service interface are listed in
/// <doc:MigratingFromCalmGeo>.
public actor Tracker {
    nonisolated let device: DeviceID
    nonisolated let store: any FixStore
    nonisolated let watch: MonotonicClock
    nonisolated let wallClock: @Sendable () -> Timestamp
    nonisolated let logger: Logger
    /// The parts and the present settings.
    package internal(set) var configuration: Configuration
    /// Decides whether positions may be recorded; set before the first run.
    package var gate: (any RecordingGate)?
    nonisolated let publisher = RecordPublisher()
    nonisolated let pauses: PauseState
    /// Wakes the task that ends pauses, because one has begun.
    let pauseSignal = WakeSignal()
    /// Asks the run under way to end. Each run has its own signal, so that no run sees the stop of another.
    var stopSignal = WakeSignal()
    let housekeepingSignal = WakeSignal()
    var processors: [SourceProcessor] = []
    var deliveries: [SinkDelivery] = []
    /// The number of callers that need appends to be committed at once: each sync, and a stop.
    var hurries = 0
    /// The state of housekeeping between its rounds.
    var housekeeping = Housekeeping()
    var life = TrackerRunState()
    var underWay: CurrentRun?
    /// The number of runs that have begun; also the number of the last run.
    private var runs = 0
    var finishWaiters = WaiterList<CheckedContinuation<Void, Never>>()
    var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// The state of the tracker.
    public var state: TrackerState { life.state }

    /// Creates a tracker; starts no task.
    ///
    /// - Throws: ``ConfigurationError`` with every unusable value, including two sources or sinks of one name.
    public init(configuration: Configuration) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
        (device, store) = (configuration.device, configuration.store)
        (wallClock, logger) = (configuration.wallClock, configuration.logger)
        watch = MonotonicClock(configuration.clock)
        pauses = PauseState(watch: watch)
    }

    // MARK: Life

    /// Tracks until ``stop()``, until the sources have finished, or until the calling task is cancelled.
    ///
    /// A stop is graceful: the sources end first, then undecided fixes are decided and the sinks get one last sync.
    /// Together this takes at most `flushTimeout`, regardless of the store and the sinks. The next run begins afresh.
    /// Cancelling is abrupt, like a crash, and just as safe: the next run continues from the store. A run after a stop
    /// that the store did not learn of also continues from it.
    ///
    /// A store that never returns from a call, for example on a disk that no longer responds, delays a stop or a
    /// cancellation by at most ten seconds beyond `flushTimeout`. Then the run returns, and the log contains the number
    /// of records that may not have been stored. No other run begins before the store has returned.
    ///
    /// - Parameter end: an end of the run other than a stop. Default: none.
    /// - Throws: ``StoreError`` when the store cannot be used at the start, and ``TrackerError/alreadyRunning``.
    public func run(until end: TrackerEnd = .stopped) async throws {
        switch life.start(sources: configuration.sources.count) {
        case .refuse: throw TrackerError.alreadyRunning
        case .endAtOnce: return finish()
        case .run: stopSignal = WakeSignal()
        }
        runs += 1
        let run = runs
        // Not a child: a task that waits for a store that never returns cannot be ended, only abandoned.
        let work = Task {
            do { runEnded(run, .success(try await track(until: end))) } catch { runEnded(run, .failure(error)) }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { underWay = CurrentRun(number: run, work: work, end: $0) }
        } onCancel: {
            work.cancel()
            Task { await limitEnd(of: run) }  // a cancellation handler cannot wait for the actor
        }
    }

    /// Ends the run gracefully and returns when it has ended.
    ///
    /// A stop before the first run is kept: that run then returns at once, without having started any task. After a run
    /// has ended, a stop has no effect, also not on the next run. Calling it twice is like calling it once.
    public func stop() async {
        switch life.stop() {
        case .ignore: return
        case .signal:
            stopSignal.raise()
            limitEnd(of: runs)
        case .wait: break
        }
        await withCheckedContinuation { stopWaiters.append($0) }
    }

    /// Waits until every source has ended, by itself or in a stop, or until the calling task is cancelled.
    ///
    /// Before the first run it waits for the sources of that run. After a run has ended, or could not begin, it returns
    /// at once.
    public func sourcesFinished() async {
        guard life.awaitsSources else { return }
        let waiter = finishWaiters.nextNumber()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { finishWaiters.add(continuation, number: waiter) }
            }
        } onCancel: {
            Task { await stopWaiting(waiter) }  // a cancellation handler cannot wait for the actor
        }
    }

    private func stopWaiting(_ waiter: Int) {
        finishWaiters.remove(waiter)?.resume()
    }

    func resumeFinishWaiters() {
        for waiter in finishWaiters.removeAll() { waiter.resume() }
    }

    /// Makes the store commit appends at once, until ``endHurry()`` was called as often.
    func beginHurry() async {
        hurries += 1
        await store.commitAtOnce(true)
    }

    func endHurry() async {
        hurries = max(0, hurries - 1)
        if hurries == 0 { await store.commitAtOnce(false) }
    }

    /// Resumes all callers that wait for the run, because it has ended or was given up.
    func finish() {
        if life.phase != .givenUp { life.ended() }
        resumeFinishWaiters()
        let waiters = stopWaiters
        stopWaiters = []
        for waiter in waiters { waiter.resume() }
        publisher.finish()
        logger.info("stopped")
    }
}

/// The reasons why a tracker rejects a call.
public enum TrackerError: Error, Sendable, Hashable {
    /// ``Tracker/run(until:)`` was called while it runs.
    case alreadyRunning
    /// The tracker is paused, and the call needs tracking.
    case paused
    /// Tracking is off at this time or place, and the call needs tracking.
    case off
}
