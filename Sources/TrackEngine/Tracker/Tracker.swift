public import Logging

/// The engine: takes fixes from its sources, decides which become records, keeps them, and brings them to its sinks.
///
/// ```swift
/// let tracker = try Tracker(
///     device: "van-7", store: InMemoryFixStore(), sources: [source], sinks: [SinkBinding(sink)])
/// try await tracker.run()
/// ```
///
/// ``run()`` belongs into a task of the caller's; it returns after ``stop()`` and throws when the store cannot be used.
/// Everything else may be called from anywhere, at any time. The counterparts of CalmGeo's service interface are listed
/// in <doc:ComingFromCalmGeo>.
public actor Tracker {
    nonisolated let device: DeviceID
    nonisolated let store: any FixStore
    nonisolated let watch: Stopwatch
    nonisolated let wallClock: @Sendable () -> Timestamp
    nonisolated let logger: Logger
    let sources: [any FixSource]
    private let bindings: [SinkBinding]
    private let hostStatus: @Sendable () -> HostStatus?
    private let recordListeners = Broadcast<TrackRecord>()
    private let decisionListeners = Broadcast<TrackerDecision>()
    private let stopSignal = WakeSignal()
    private let housekeepingSignal = WakeSignal()
    private(set) var configuration: TrackerConfiguration
    private var retention: RetentionConfiguration
    private var sync: [SinkID: SyncConfiguration]
    var lanes: [SourceLane] = []
    var drains: [SinkDrain] = []
    /// Why the last append failed, until one succeeds.
    private var storeFailure: String?
    /// What housekeeping remembers from one round to the next.
    var housekeeping = Housekeeping()
    private var runningSources = 0
    private var finishWaiters: [CheckedContinuation<Void, Never>] = []
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// Whether the tracker runs.
    public private(set) var state = TrackerState.stopped

    /// Puts an engine together; nothing runs yet.
    ///
    /// - Parameters:
    ///   - configuration: what to keep of a track. Default: CalmGeo's.
    ///   - retention: how much the store may hold; by default as long as `configuration.maxDaysToPersist` says.
    ///   - device: the tracked thing's name, part of each record's id.
    ///   - store: where records are kept. The caller closes it after the last stop.
    ///   - sources: where fixes come from; each has a pipeline of its own.
    ///   - sinks: where records go; with none, the store is the destination.
    ///   - hostStatus: the machine's battery, asked once for each commit. Must not block.
    ///   - clock: what timers run on; monotonic.
    ///   - wallClock: the time of day.
    ///   - logger: takes what a person running a service wants to know; never a position.
    /// - Throws: ``ConfigurationError`` with every value that cannot be used, two sources or sinks of one name included.
    public init(
        configuration: TrackerConfiguration = .calmGeo, retention: RetentionConfiguration? = nil, device: DeviceID,
        store: any FixStore, sources: [any FixSource], sinks: [SinkBinding] = [],
        hostStatus: @escaping @Sendable () -> HostStatus? = { nil },
        clock: any Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
        logger: Logger = Logger(label: "TrackEngine")
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
        watch = Stopwatch(clock)
    }

    // MARK: Life

    /// Tracks until ``stop()``, or until the calling task is cancelled.
    ///
    /// A stop is graceful: sources end first, then the sinks get one last sync of at most `flushTimeout`, and the next
    /// run begins afresh. Cancelling is abrupt, like a crash, and just as safe: the next run goes on from the store.
    ///
    /// - Throws: ``StoreError`` when the store cannot be used, and ``TrackerError/alreadyRunning``.
    public func run() async throws {
        guard state == .stopped else { throw TrackerError.alreadyRunning }
        state = .running
        runningSources = sources.count
        defer { finish() }
        try await prepare()
        logger.info(
            "running", metadata: ["device": "\(device)", "sources": "\(sources.count)", "sinks": "\(bindings.count)"])
        await withTaskGroup(of: Void.self) { group in
            for drain in drains {
                group.addTask { await drain.run() }
                group.addTask { await drain.keepSinkUp() }
            }
            group.addTask { await self.keepHouse() }
            await runSources()
            if !Task.isCancelled {
                for lane in lanes { await lane.decideAll() }
                await flush()
            }
            group.cancelAll()
        }
        guard !Task.isCancelled else { return }
        try await store.forgetCheckpoints()
        try await prune()
    }

    /// Ends the run gracefully and returns when it has ended; at once when nothing runs.
    public func stop() async {
        guard state != .stopped else { return }
        stopSignal.raise()
        await withCheckedContinuation { stopWaiters.append($0) }
    }

    private func prepare() async throws {
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

    private func runSources() async {
        await withTaskGroup(of: Void.self) { group in
            for lane in lanes {
                group.addTask {
                    await lane.supervise()
                    await self.sourceEnded()
                }
                group.addTask { await lane.runTimers() }
            }
            await stopSignal.wait()
            await store.commitAtOnce(true)
            group.cancelAll()
        }
        state = .stopping
    }

    private func sourceEnded() {
        runningSources -= 1
        guard runningSources == 0 else { return }
        let waiters = finishWaiters
        finishWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until every source has ended, by itself or in a stop; at once when nothing runs. For file replays.
    public func sourcesFinished() async {
        guard state == .running, runningSources > 0 else { return }
        await withCheckedContinuation { finishWaiters.append($0) }
    }

    private func flush() async {
        let drains = drains
        let (limit, clock) = (configuration.flushTimeout, watch.clock)
        await withTaskGroup(of: Bool.self) { race in
            race.addTask {
                await withTaskGroup(of: Void.self) { flushes in
                    for drain in drains { flushes.addTask { await drain.flush() } }
                }
                return true
            }
            race.addTask {
                try? await clock.sleep(for: limit)  // cancelled when all sinks were done sooner
                return false
            }
            if await race.next() == false { for drain in drains { await drain.abandonFlush() } }
            race.cancelAll()
        }
    }

    private func finish() {
        state = .stopped
        let waiters = stopWaiters
        stopWaiters = []
        for waiter in waiters { waiter.resume() }
        logger.info("stopped")
    }

    // MARK: Records

    private func publish(_ records: [TrackRecord]) async {
        for drain in drains { await drain.stored(records) }
        if recordListeners.hasListeners { for record in records { recordListeners.send(record) } }
    }

    /// The records as they are stored, from now on.
    ///
    /// - Parameter limit: how many are kept for a listener that does not keep up; older ones are skipped.
    public nonisolated func records(bufferingNewest limit: Int = 256) -> AsyncStream<TrackRecord> {
        recordListeners.listen(bufferingNewest: limit)
    }

    /// Everything that is decided about fixes, from now on: records, rejections with their reason, standby.
    ///
    /// - Parameter limit: how many are kept for a listener that does not keep up; older ones are skipped.
    public nonisolated func decisions(bufferingNewest limit: Int = 256) -> AsyncStream<TrackerDecision> {
        decisionListeners.listen(bufferingNewest: limit)
    }

    // MARK: Configuration

    /// Applies a new configuration without losing or repeating anything; starts nothing.
    ///
    /// - Parameters:
    ///   - configuration: what to keep of a track from now on.
    ///   - retention: how much the store may hold; absent leaves it.
    ///   - sync: when sinks get their records, by name; sinks not named keep theirs.
    /// - Throws: ``ConfigurationError`` with every value that cannot be used; then nothing has changed. ``StoreError``.
    public func restart(
        with configuration: TrackerConfiguration, retention: RetentionConfiguration? = nil,
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
    private func keepHouse() async {
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

    private func noteStoreFailure(_ failure: String?) {
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
    /// ``Tracker/run()`` was called while it runs.
    case alreadyRunning
}

extension ConfigurationCheck {
    fileprivate mutating func unique(_ key: String, _ names: [String]) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted { problem(key, name, "each name once") }
    }
}
