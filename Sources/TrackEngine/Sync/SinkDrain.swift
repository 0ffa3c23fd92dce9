internal import Logging
internal import Synchronization

/// Brings the store's records to one sink: asks the state machine when, delivers, and settles what was taken.
///
/// A shell: what to do is decided by ``SyncStateMachine`` and ``PoisonRecordSearch``. One delivery is under way at a
/// time, and a batch that has failed is kept as it was, so that a retry has the same boundaries and gives the same
/// bytes. Only what the receiver took as a control, or by an acknowledgement during a delivery, is not offered again.
actor SinkDrain {
    nonisolated let sink: any FixSink
    let store: any FixStore
    let watch: MonotonicClock
    let wallClock: @Sendable () -> Timestamp
    let logger: Logger
    private let signal = WakeSignal()
    /// Beside the actor, so that a lane that has stored a record waits for nobody.
    private let waiting = Mutex(WaitingRecords())
    var machine: SyncStateMachine
    var search = PoisonRecordSearch()
    var generator = SystemRandomNumberGenerator()
    var delivery: DeliveryUnderWay
    var notice = DeadLetterNotice()
    /// When a record last became a dead letter.
    var lastRefusal: TrackInstant?
    let onSettled: @Sendable () -> Void
    let undecided: @Sendable () -> RecordDraft?
    let pauses: PauseGate
    /// The delivery under way, in a task of its own, so that a pause can end it alone.
    var attempt: Task<Result<Receipt, DeliveryError>, Never>?
    /// Whether a pause has ended the delivery under way.
    var isInterrupted = false
    /// How the deliveries stand, but for what waits: see ``state``.
    var deliveries = SyncState()
    private var flushes = FlushQueue<CheckedContinuation<Void, Never>>()

    /// - Parameters:
    ///   - onSettled: is called when records were settled.
    ///   - undecided: tells the newest fix that may become a record later.
    init(
        _ binding: SinkBinding, store: any FixStore, watch: MonotonicClock,
        wallClock: @escaping @Sendable () -> Timestamp, logger: Logger,
        pauses: PauseGate, onSettled: @escaping @Sendable () -> Void = {},
        undecided: @escaping @Sendable () -> RecordDraft? = { nil }
    ) {
        sink = binding.sink
        delivery = DeliveryUnderWay(carries: { [sink = binding.sink] in sink.carries($0) })
        machine = SyncStateMachine(binding.sync)
        self.store = store
        self.watch = watch
        self.wallClock = wallClock
        self.logger = logger
        self.onSettled = onSettled
        self.undecided = undecided
        self.pauses = pauses
    }

    // MARK: News

    /// Records were stored, oldest first.
    nonisolated func stored(_ records: [TrackRecord]) {
        waiting.withLock { $0.stored(records, kinds: sink.kinds) }
        signal.raise()
    }

    /// What waits at this moment.
    var queue: WaitingRecords { waiting.withLock { $0 } }

    /// Tells what else is known about what waits.
    func noteQueue(_ change: (inout WaitingRecords) -> Void) {
        waiting.withLock { change(&$0) }
    }

    /// How the deliveries stand.
    var state: SyncState {
        var state = deliveries
        let queue = queue
        (state.queued, state.oldest) = (queue.count, queue.oldest)
        return state
    }

    /// The queue changed in a way that has to be looked up (pruned, cleared, requeued).
    func refresh() async {
        await countBacklog()
        signal.raise()
    }

    /// Sends everything now, whatever threshold and back-off say; returns when nothing waits or a delivery has failed,
    /// or when whoever waits is cancelled. The sending goes on then.
    func sync() async {
        guard let waiter = await beginFlush() else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { flushes.add(continuation, number: waiter) }
            }
        } onCancel: {
            Task { await stopWaiting(waiter) }  // a cancellation handler cannot wait for the actor
        }
    }

    private func stopWaiting(_ waiter: Int) {
        flushes.remove(waiter)?.resume()
    }

    /// The last sync of a graceful stop: as ``sync()``, but only where the sink sends by itself, and a stop that comes
    /// as a cancellation waits for it, too, until ``abandonFlush()``.
    func flush() async {
        guard machine.configuration.autoSync, let waiter = await beginFlush() else { return }
        await withCheckedContinuation { flushes.add($0, number: waiter) }
    }

    /// Has everything sent; returns the number to wait under, or `nil` when there is nothing to wait for.
    private func beginFlush() async -> Int? {
        guard !pauses.isClosed else { return nil }
        await countBacklog()
        guard queue.count > 0, let waiter = flushes.join() else { return nil }
        machine.request()
        signal.raise()
        return waiter
    }

    /// Gives the flush up, begun or not: its time is over.
    func abandonFlush() {
        resume(flushes.abandon())
    }

    /// The store was emptied.
    func cleared() async {
        delivery.clear()
        search.forget()
        await refresh()
    }

    func reconfigure(_ configuration: SyncConfiguration) {
        machine.configuration = configuration
        signal.raise()
    }

    // MARK: Life

    /// Delivers until cancelled.
    func run() async {
        flushes.open()
        await countBacklog()
        machine.bypassThreshold()  // what an earlier run left over does not wait for the threshold
        while !Task.isCancelled {
            let (queued, bypassesThreshold) = waiting.withLock { ($0.count, $0.takeBypass()) }
            if bypassesThreshold { machine.bypassThreshold() }
            guard !pauses.isClosed else {
                await waitForEndOfPause()
                continue
            }
            switch machine.next(queued: queued, at: watch.now) {
            case .send: await send()
            case .wait(let until):
                if let line = notice.line(at: watch.now) { log(line) }
                show(waitingUntil: until)
                resume(flushes.finish())
                await signal.wait(for: until.map(watch.remaining), on: watch.clock)
            }
        }
        if let line = notice.last() { log(line) }
        machine.finish()
        resume(flushes.close())
    }

    private func resume(_ waiters: [CheckedContinuation<Void, Never>]) {
        for waiter in waiters { waiter.resume() }
    }

    // MARK: Pauses

    /// A pause has begun: ends the delivery under way, which is neither a success nor a failure, and returns when it has ended.
    /// What it was to deliver is delivered again.
    func interrupt() async {
        guard let attempt else { return }
        isInterrupted = true
        attempt.cancel()
        _ = await attempt.value
    }

    /// A pause has ended: goes on where it was, also with a wait after a failure.
    nonisolated func resume() { signal.raise() }

    private func waitForEndOfPause() async {
        if let line = notice.line(at: watch.now) { log(line) }
        show(waitingUntil: nil)
        resume(flushes.finish())
        await signal.wait(for: pauses.remaining, on: watch.clock)
    }

    // MARK: What is shown

    private func show(waitingUntil until: TrackInstant?) {
        switch machine.phase {
        case .gathering, .draining: deliveries.activity = .waiting
        case .backingOff, .postponed: deliveries.activity = .backingOff
        case .paused: deliveries.activity = .paused
        }
        deliveries.nextDue = until.map { wallClock().advanced(by: watch.remaining(until: $0)) }
    }

    func countBacklog() async {
        do {
            var isUpToDate = false
            while !isUpToDate {
                let changes = queue.changes
                let backlog = try await store.backlog(of: sink.id)
                isUpToDate = waiting.withLock { $0.counted(backlog, since: changes) }
            }
        } catch {
            logger.warning("cannot read the queue", metadata: ["sink": "\(sink.id)", "error": "\(error)"])
        }
    }

    /// Waits on the tracker's clock.
    nonisolated func pause(_ duration: Duration) async throws {
        try await watch.clock.sleep(for: duration)
    }
}
