public import Logging

/// The engine: takes fixes from its sources, decides which become records, keeps them, and brings them to its sinks.
///
/// ```swift
/// let tracker = try Tracker(
///     device: "van-7", store: InMemoryFixStore(), sources: [source], sinks: [SinkBinding(sink)])
/// try await tracker.run()
/// ```
///
/// ``run(until:)`` belongs into a task of the caller's; it returns after ``stop()`` and throws when the store cannot be
/// used.
/// Everything else may be called from anywhere, at any time. The counterparts of CalmGeo's service interface are listed
/// in <doc:MigratingFromCalmGeo>.
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
    let cover: (any PositionCover)?
    let authority: (any PositionAuthority)?
    /// Says whether positions may be recorded; set before the first run.
    package var gate: (any RecordingGate)?
    /// What live sources' tracks tell of the tracker and its machine.
    var told: RecordKinds
    nonisolated let hub = RecordHub()
    nonisolated let pauses: PauseGate
    /// Wakes the task that ends pauses: one has begun.
    let pauseSignal = WakeSignal()
    /// Asks the run under way to end; each run has one of its own, so that no run sees the stop of another.
    var stopSignal = WakeSignal()
    let housekeepingSignal = WakeSignal()
    package internal(set) var configuration: RecordingConfiguration
    var retention: RetentionConfiguration
    var sync: [SinkID: SyncConfiguration]
    var lanes: [SourceLane] = []
    var drains: [SinkDrain] = []
    /// How many want appends to be committed at once: a sync each, and a stop.
    var hurries = 0
    /// What housekeeping remembers from one round to the next.
    var housekeeping = Housekeeping()
    var life = TrackerLife()
    var underWay: RunUnderWay?
    /// How many runs have begun; the number of the last one.
    private var runs = 0
    var finishWaiters = WaiterList<CheckedContinuation<Void, Never>>()
    var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// Whether the tracker runs.
    public var state: TrackerState { life.state }

    /// Puts an engine together; nothing runs yet.
    ///
    /// - Parameters:
    ///   - configuration: what to keep of a track. Default: CalmGeo's.
    ///   - retention: how long and how much the store keeps. Default: seven days.
    ///   - device: the tracked object's name, part of each record's id.
    ///   - store: where records are kept. The caller closes it after the last stop.
    ///   - sources: where fixes come from; each has a pipeline of its own.
    ///   - sinks: where records go; with none, the store is the destination.
    ///   - detector: finds events in each source's track, such as visits; each source has a copy. Default: none.
    ///   - cover: keeps true positions from the engine. Default: none.
    ///   - authority: knows better than live sources where the object is. Default: none.
    ///   - telling: which records live sources' tracks have of the tracker and its machine: ``RecordKinds/action`` (a pause begins or
    ///     ends, the tracker stops) and ``RecordKinds/power`` (the power supply changes). Default: none.
    ///   - hostStatus: the machine's battery and wireless network, asked once for each commit. Must not block.
    ///   - clock: what timers run on; monotonic.
    ///   - wallClock: the time of day.
    ///   - logger: takes what a person running a service wants to know; never a position.
    /// - Throws: ``ConfigurationError`` with every value that cannot be used, two sources or sinks of one name
    /// included.
    public init(
        configuration: RecordingConfiguration = .calmGeo,
        retention: RetentionConfiguration = RetentionConfiguration(), device: DeviceID,
        store: any FixStore, sources: [any FixSource], sinks: [SinkBinding] = [],
        detector: (any EventDetector)? = nil, cover: (any PositionCover)? = nil,
        authority: (any PositionAuthority)? = nil, telling: RecordKinds = [],
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
        pauses = PauseGate(watch: watch)
    }

    // MARK: Life

    /// Tracks until ``stop()``, until the sources have finished, or until the calling task is cancelled.
    ///
    /// A stop is graceful: sources end first, then what is undecided is decided and the sinks get one last sync, both
    /// together within `flushTimeout`, whatever the store and the sinks do; the next run begins afresh. Cancelling is
    /// abrupt, like a crash, and just as safe: the next run goes on from the store. So does a run after a stop that the
    /// store could not be told of.
    ///
    /// A store that does not return from a call at all, as on a disk that has stopped answering, holds neither for
    /// longer than ten seconds beyond `flushTimeout`. Then the run returns, the log says of how many records it is not
    /// known whether they are kept, and no other run begins before the store has returned.
    ///
    /// - Parameter end: what ends the run besides a stop. Default: nothing.
    /// - Throws: ``StoreError`` when the store cannot be used at the start, and ``TrackerError/alreadyRunning``.
    public func run(until end: TrackerEnd = .stopped) async throws {
        switch life.start(sources: sources.count) {
        case .refuse: throw TrackerError.alreadyRunning
        case .endAtOnce: return finish()
        case .run: stopSignal = WakeSignal()
        }
        runs += 1
        let run = runs
        // Not a child: a task that waits for a store which does not return cannot be ended, only left.
        let work = Task {
            do { runEnded(run, .success(try await track(until: end))) } catch { runEnded(run, .failure(error)) }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { underWay = RunUnderWay(number: run, work: work, end: $0) }
        } onCancel: {
            work.cancel()
            Task { await limitEnd(of: run) }  // a cancellation handler cannot wait for the actor
        }
    }

    /// Ends the run gracefully and returns when it has ended.
    ///
    /// Before the first run the stop is kept: that run returns at once, without having started anything. When a run has
    /// ended, there is nothing to stop, and the next run does not see it. Calling it twice is like calling it once.
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
    /// Before the first run it waits for the sources of that run; when a run has ended, it returns at once, also when
    /// the run could not begin.
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

    /// Has appends committed without waiting for others, until ``endHurry()`` was called as often.
    func beginHurry() async {
        hurries += 1
        await store.commitAtOnce(true)
    }

    func endHurry() async {
        hurries = max(0, hurries - 1)
        if hurries == 0 { await store.commitAtOnce(false) }
    }

    /// Tells everybody who waits for the run that it has ended, or that nobody waits for it any more.
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

/// Why a tracker could not do what it was asked.
public enum TrackerError: Error, Sendable, Hashable {
    /// ``Tracker/run(until:)`` was called while it runs.
    case alreadyRunning
    /// The tracker is paused, and what was asked for is tracking.
    case paused
    /// Tracking is off at this time or place, and what was asked for is tracking.
    case off
}

extension ConfigurationCheck {
    fileprivate mutating func unique(_ key: String, _ names: [String]) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted { problem(key, name, "each name once") }
    }
}
