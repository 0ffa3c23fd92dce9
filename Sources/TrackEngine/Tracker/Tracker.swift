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
    private let bindings: [SinkBinding]
    private let hostStatus: @Sendable () -> HostStatus?
    private let recordListeners = Broadcast<TrackRecord>()
    private let decisionListeners = Broadcast<TrackerDecision>()
    /// Asks the run under way to end; each run has one of its own, so that no run sees the stop of another.
    private var stopSignal = WakeSignal()
    private let housekeepingSignal = WakeSignal()
    package private(set) var configuration: TrackerConfiguration
    private var retention: RetentionConfiguration
    private var sync: [SinkID: SyncConfiguration]
    var lanes: [SourceLane] = []
    var drains: [SinkDrain] = []
    /// Why the last append failed, until one succeeds.
    private var storeFailure: String?
    /// How many want appends to be committed at once: a sync each, and a stop.
    private var hurries = 0
    /// What housekeeping remembers from one round to the next.
    var housekeeping = Housekeeping()
    var life = TrackerLife()
    var underWay: RunUnderWay?
    /// How many runs have begun; the number of the last one.
    private var runs = 0
    private var finishWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastFinishWaiter = 0
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// Whether the tracker runs.
    public var state: TrackerState { life.state }

    /// Puts an engine together; nothing runs yet.
    ///
    /// - Parameters:
    ///   - configuration: what to keep of a track. Default: CalmGeo's.
    ///   - retention: how much the store may hold; by default as long as `configuration.maxDaysToPersist` says.
    ///   - device: the tracked object's name, part of each record's id.
    ///   - store: where records are kept. The caller closes it after the last stop.
    ///   - sources: where fixes come from; each has a pipeline of its own.
    ///   - sinks: where records go; with none, the store is the destination.
    ///   - hostStatus: the machine's battery, asked once for each commit. Must not block.
    ///   - clock: what timers run on; monotonic.
    ///   - wallClock: the time of day.
    ///   - logger: takes what a person running a service wants to know; never a position.
    /// - Throws: ``ConfigurationError`` with every value that cannot be used, two sources or sinks of one name
    /// included.
    public init(
        configuration: TrackerConfiguration = .calmGeo, retention: RetentionConfiguration? = nil, device: DeviceID,
        store: any FixStore, sources: [any FixSource], sinks: [SinkBinding] = [],
        hostStatus: @escaping @Sendable () -> HostStatus? = { nil },
        clock: any Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
        logger: Logger = Logger(label: "track-engine")
    ) throws(ConfigurationError) {
        self.configuration = try configuration.validated()
        self.retention = try
            (retention ?? RetentionConfiguration(maxDaysToPersist: Int(configuration.maxDaysToPersist))).validated()
        var check = ConfigurationCheck()
        check.unique("sources", sources.map(\.id.rawValue))
        check.unique("sinks", sinks.map(\.sink.id.rawValue))
        if device.rawValue.isEmpty { check.problem("device", "\"\"", "a name that is not empty") }
        check.problems += sinks.flatMap(\.sync.problems)
        try check.finish()
        self.device = device
        self.store = store
        self.sources = sources
        self.hostStatus = hostStatus
        self.wallClock = wallClock
        self.logger = logger
        bindings = sinks
        sync = Dictionary(uniqueKeysWithValues: sinks.map { ($0.sink.id, $0.sync) })
        watch = MonotonicClock(clock)
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

    private func track(until end: TrackerEnd) async throws {
        try await prepare()
        logger.info(
            "running", metadata: ["device": "\(device)", "sources": "\(sources.count)", "sinks": "\(bindings.count)"])
        await withTaskGroup(of: Void.self) { group in
            for drain in drains {
                group.addTask { await drain.run() }
                group.addTask { await drain.keepSinkUp() }
            }
            group.addTask { await self.runRetention() }
            await runSources(until: end)
            if !Task.isCancelled { await decideAndFlush() }
            group.cancelAll()
        }
        if !Task.isCancelled { await forgetPipelines() }
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

    private func prepare() async throws {
        storeFailure = nil
        hurries = 0
        await store.commitAtOnce(false)
        try await store.configure(retention, sinks: Set(bindings.map(\.sink.id)))
        try await prune()
        let checkpoints = try await store.checkpoints()
        let odometers = try await store.odometers()
        lanes = sources.map { SourceLane($0, configuration: configuration, environment: laneEnvironment) }
        drains = bindings.map { binding in
            SinkDrain(
                SinkBinding(binding.sink, sync: sync[binding.sink.id] ?? binding.sync), store: store, watch: watch,
                wallClock: wallClock, logger: logger, onSettled: { [housekeepingSignal] in housekeepingSignal.raise() },
                undecided: newestUndecided)
        }
        for lane in lanes {
            if let metres = odometers[lane.source.id] { await lane.resume(odometer: metres) }
            guard let checkpoint = checkpoints.first(where: { $0.source == lane.source.id }) else { continue }
            await lane.resume(from: checkpoint)
        }
    }

    /// The newest fix of which it is not known yet whether it becomes a record.
    private var newestUndecided: @Sendable () -> RecordDraft? {
        { [device, hostStatus, lanes] in
            lanes.compactMap { lane in
                let report = lane.log.current
                guard let fix = report.latest else { return nil }
                return report.undecided?.draft(of: fix, device: device, source: lane.source.id, host: hostStatus())
            }
            .max { $0.fix.time < $1.fix.time }
        }
    }

    private var laneEnvironment: SourceLane.Environment {
        SourceLane.Environment(
            device: device, store: store, watch: watch, wallClock: wallClock, hostStatus: hostStatus, logger: logger,
            decisions: decisionListeners, stored: { [weak self] in await self?.publish($0) },
            storeFailed: { [weak self] failure in
                // A lane must not wait for the tracker to note what it can read later.
                Task { await self?.noteStoreFailure(failure) }
            })
    }

    private func runSources(until end: TrackerEnd) async {
        life.started()
        if sources.isEmpty { resumeFinishWaiters() }
        if end == .sourcesFinished, sources.isEmpty { stopSignal.raise() }
        await withTaskGroup(of: Void.self) { group in
            for lane in lanes {
                group.addTask {
                    await lane.supervise()
                    await self.sourceEnded(end)
                }
                group.addTask { await lane.runTimers() }
            }
            await stopSignal.wait()
            await beginHurry()  // until the run has ended
            group.cancelAll()
            // Not before: a source whose fix is given back shall know that it is cancelled.
            for lane in lanes { await lane.end() }
        }
        life.sourcesStopped()
    }

    private func sourceEnded(_ end: TrackerEnd) {
        guard life.sourceEnded() else { return }
        resumeFinishWaiters()
        if end == .sourcesFinished { stopSignal.raise() }
    }

    /// Waits until every source has ended, by itself or in a stop, or until the calling task is cancelled.
    ///
    /// Before the first run it waits for the sources of that run; when a run has ended, it returns at once, also when
    /// the run could not begin.
    public func sourcesFinished() async {
        guard life.awaitsSources else { return }
        lastFinishWaiter += 1
        let waiter = lastFinishWaiter
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { finishWaiters[waiter] = continuation }
            }
        } onCancel: {
            Task { await stopWaiting(waiter) }  // a cancellation handler cannot wait for the actor
        }
    }

    private func stopWaiting(_ waiter: Int) {
        finishWaiters.removeValue(forKey: waiter)?.resume()
    }

    private func resumeFinishWaiters() {
        let waiters = finishWaiters
        finishWaiters = [:]
        for waiter in waiters.values { waiter.resume() }
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
        recordListeners.finish()
        decisionListeners.finish()
        logger.info("stopped")
    }

    // MARK: Records

    private func publish(_ records: [TrackRecord]) async {
        for drain in drains { await drain.stored(records) }
        if recordListeners.hasListeners { for record in records { recordListeners.send(record) } }
    }

    /// The records as they are stored, from now on. The stream ends with the run under way, or with the next one.
    ///
    /// - Parameter limit: how many are kept for a listener that does not keep up; older ones are skipped.
    public nonisolated func records(bufferingNewest limit: Int = 256) -> AsyncStream<TrackRecord> {
        recordListeners.listen(bufferingNewest: limit)
    }

    /// Everything that is decided about fixes, from now on: records, rejections with their reason, standby. The stream
    /// ends with the run under way, or with the next one.
    ///
    /// - Parameter limit: how many are kept for a listener that does not keep up; older ones are skipped.
    public nonisolated func decisions(bufferingNewest limit: Int = 256) -> AsyncStream<TrackerDecision> {
        decisionListeners.listen(bufferingNewest: limit)
    }

    /// Whether anybody waits in ``sourcesFinished()``.
    package var isAwaited: Bool { !finishWaiters.isEmpty }

    /// Whether anybody takes records, and anybody decisions.
    package var hasListeners: Bool { recordListeners.hasListeners && decisionListeners.hasListeners }

    // MARK: Configuration

    /// Applies a new configuration without losing or repeating anything; starts nothing.
    ///
    /// - Parameters:
    ///   - configuration: what to keep of a track from now on.
    ///   - retention: how much the store may hold; absent leaves it.
    ///   - sync: when sinks get their records, by name; sinks not named keep theirs.
    /// - Throws: ``ConfigurationError`` with every value that cannot be used; then nothing has changed. ``StoreError``.
    public func reconfigure(
        _ configuration: TrackerConfiguration, retention: RetentionConfiguration? = nil,
        sync: [SinkID: SyncConfiguration] = [:]
    ) async throws {
        let configuration = try configuration.validated()
        let retention = try (retention ?? self.retention).validated()
        for configuration in sync.values { _ = try configuration.validated() }
        self.configuration = configuration
        self.retention = retention
        self.sync.merge(sync) { $1 }
        guard state == .running else { return }
        try await store.configure(retention, sinks: Set(bindings.map(\.sink.id)))
        for lane in lanes { await lane.reconfigure(configuration) }
        for drain in drains {
            if let configuration = sync[drain.sink.id] { await drain.reconfigure(configuration) }
        }
    }

    // MARK: Housekeeping

    /// Prunes soon after something was settled, and hourly for what has grown too old.
    private func runRetention() async {
        while !Task.isCancelled {
            await housekeepingSignal.wait(for: .seconds(3600), on: watch.clock)
            do {
                try await watch.clock.sleep(for: .seconds(5))  // one round for many settlements
                try await prune()
                housekeeping.failure = nil
            } catch is CancellationError {
                return
            } catch {
                housekeeping.failure = "\(error)"
            }
        }
    }

    func noteStoreFailure(_ failure: String?) {
        storeFailure = failure
    }

    /// Everything that a status page shows.
    public func status() async -> TrackerStatus {
        var sinks: [TrackerStatus.SinkReport] = []
        for drain in drains { sinks.append(TrackerStatus.SinkReport(id: drain.sink.id, sync: await drain.state)) }
        var failure = storeFailure ?? housekeeping.failure
        var store: StoreStatus?
        do { store = try await self.store.status() } catch { failure = "\(error)" }
        return TrackerStatus(
            state: state, time: wallClock(), sources: lanes.map(\.log.current), sinks: sinks, store: store,
            storeFailure: failure)
    }
}

/// Why a tracker could not do what it was asked.
public enum TrackerError: Error, Sendable, Hashable {
    /// ``Tracker/run(until:)`` was called while it runs.
    case alreadyRunning
}

extension ConfigurationCheck {
    fileprivate mutating func unique(_ key: String, _ names: [String]) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted { problem(key, name, "each name once") }
    }
}
