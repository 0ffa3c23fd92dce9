public import Logging

/// The engine: takes fixes from its sources, decides which become records, stores them, and delivers them to its sinks.
///
/// ```swift
/// let tracker = try Tracker(
///     device: "van-7", store: InMemoryFixStore(), sources: [source], sinks: [SinkBinding(sink)])
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
    let sources: [any FixSource]
    let bindings: [SinkBinding]
    let hostStatus: @Sendable () -> HostStatus?
    var detector: (any EventDetector)?
    let cover: (any PrivacyFilter)?
    let authority: (any PositionOverride)?
    /// Decides whether positions may be recorded; set before the first run.
    package var gate: (any RecordingGate)?
    /// The kinds of events about the tracker and its machine in live sources' tracks.
    var told: RecordKinds
    nonisolated let hub = RecordPublisher()
    nonisolated let pauses: PauseState
    /// Wakes the task that ends pauses, because one has begun.
    let pauseSignal = WakeSignal()
    /// Asks the run under way to end. Each run has its own signal, so that no run sees the stop of another.
    var stopSignal = WakeSignal()
    let housekeepingSignal = WakeSignal()
    package internal(set) var configuration: RecordingConfiguration
    var retention: RetentionConfiguration
    var sync: [SinkID: SyncConfiguration]
    var lanes: [SourceProcessor] = []
    var drains: [SinkDelivery] = []
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
    /// - Parameters:
    ///   - configuration: the recording configuration. Default: CalmGeo's.
    ///   - retention: the limits of the store by age and size. Default: seven days.
    ///   - device: the tracked object's name, part of each record's id.
    ///   - store: the store for the records. The caller closes it after the last stop.
    ///   - sources: the sources of fixes; each has its own pipeline.
    ///   - sinks: the destinations of records; without sinks, the store is the destination.
    ///   - detector: finds events in each source's track, such as visits; each source has a copy. Default: none.
    ///   - cover: hides true positions from the engine. Default: none.
    ///   - authority: overrides the fixes of live sources with a known position. Default: none.
    ///   - telling: the kinds of events about the tracker and its machine in live sources' tracks:
    ///     ``RecordKinds/action`` (a pause begins or ends, the tracker stops) and ``RecordKinds/power`` (the power
    ///     supply changes). Default: none.
    ///   - hostStatus: the machine's battery and wireless network, read once for each commit. Must not block.
    ///   - clock: the clock for timers; monotonic.
    ///   - wallClock: the time of day.
    ///   - logger: gets messages for the operator of a service; never a position.
    /// - Throws: ``ConfigurationError`` with every unusable value, including two sources or sinks of one name.
    public init(
        configuration: RecordingConfiguration = .calmGeo,
        retention: RetentionConfiguration = RetentionConfiguration(), device: DeviceID,
        store: any FixStore, sources: [any FixSource], sinks: [SinkBinding] = [],
        detector: (any EventDetector)? = nil, cover: (any PrivacyFilter)? = nil,
        authority: (any PositionOverride)? = nil, telling: RecordKinds = [],
        hostStatus: @escaping @Sendable () -> HostStatus? = { nil },
        clock: any Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
        logger: Logger = Logger(label: "track-engine")
    ) throws(ConfigurationError) {
        self.configuration = try configuration.validated()
        self.retention = try retention.validated()
        var check = ConfigurationCheck()
        check.unique("sources", sources.map(\.id.rawValue))
        check.unique("sinks", sinks.map(\.sink.id.rawValue))
        if device.rawValue.isEmpty { check.problem("device", "\"\"", "a name that is not empty") }
        check.problems += sinks.flatMap(\.sync.problems)
        try check.finish()
        self.device = device
        self.store = store
        self.sources = sources
        self.detector = detector
        (self.cover, self.authority) = (cover, authority)
        told = telling
        self.hostStatus = hostStatus
        self.wallClock = wallClock
        self.logger = logger
        bindings = sinks
        sync = Dictionary(uniqueKeysWithValues: sinks.map { ($0.sink.id, $0.sync) })
        watch = MonotonicClock(clock)
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
        switch life.start(sources: sources.count) {
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
        hub.finish()
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

extension ConfigurationCheck {
    fileprivate mutating func unique(_ key: String, _ names: [String]) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted { problem(key, name, "each name once") }
    }
}
