internal import Logging
internal import Synchronization

/// Delivers the store's records to one sink: asks the state machine when, delivers, and settles accepted records.
///
/// The decisions are those of ``SyncStateMachine`` and ``RecordIsolation``. One delivery is under way at a time, and
/// a failed batch is held unchanged, so that a retry has the same boundaries and the same bytes. Only records that the
/// server accepted as controls, or acknowledged during a delivery, are not offered again.
actor SinkDelivery {
    nonisolated let sink: any FixSink
    let store: any FixStore
    let watch: MonotonicClock
    let wallClock: @Sendable () -> Timestamp
    let logger: Logger
    private let signal = WakeSignal()
    /// Outside the actor's isolation, so that a source processor that has stored a record does not wait.
    private let waiting = Mutex(SinkBacklog())
    var machine: SyncStateMachine
    var generator = SystemRandomNumberGenerator()
    var delivery: PendingDelivery
    var notice = DeadLetterLog()
    /// The moment at which a record last became a dead letter.
    var lastRefusal: TrackInstant?
    let onSettled: @Sendable () -> Void
    let undecided: @Sendable () -> RecordDraft?
    let pauses: PauseState
    /// The delivery under way, in a task of its own, so that a pause can cancel it alone.
    var attempt: Task<Result<Receipt, DeliveryError>, Never>?
    /// Whether a pause has cancelled the delivery under way.
    var isInterrupted = false
    /// The status of the deliveries without the waiting records: see ``state``.
    var deliveries = SyncState()
    private var flushes = FlushQueue<CheckedContinuation<Void, Never>>()

    /// - Parameters:
    ///   - onSettled: called when records were settled.
    ///   - undecided: returns the newest fix that may become a record later.
    init(
        _ binding: SinkBinding, store: any FixStore, watch: MonotonicClock,
        wallClock: @escaping @Sendable () -> Timestamp, logger: Logger,
        pauses: PauseState, onSettled: @escaping @Sendable () -> Void = {},
        undecided: @escaping @Sendable () -> RecordDraft? = { nil }
    ) {
        sink = binding.sink
        delivery = PendingDelivery(carries: { [sink = binding.sink] in sink.carries($0) })
        machine = SyncStateMachine(binding.sync)
        self.store = store
        self.watch = watch
        self.wallClock = wallClock
        self.logger = logger
        self.onSettled = onSettled
        self.undecided = undecided
        self.pauses = pauses
    }

    // MARK: Changes of the queue

    /// Notes records that were stored, oldest first.
    nonisolated func stored(_ records: [TrackRecord]) {
        waiting.withLock { $0.stored(records, kinds: sink.kinds) }
        signal.raise()
    }

    /// The waiting records at this moment.
    var queue: SinkBacklog { waiting.withLock { $0 } }

    /// Changes the knowledge about the waiting records.
    func noteQueue(_ change: (inout SinkBacklog) -> Void) {
        waiting.withLock { change(&$0) }
    }

    /// The status of the deliveries.
    var state: SyncState {
        var state = deliveries
        let queue = queue
        (state.queued, state.oldest) = (queue.count, queue.oldest)
        return state
    }

    /// Reads the queue from the store after a change there (pruned, cleared, requeued).
    func refresh() async {
        await countBacklog()
        signal.raise()
    }

    /// Sends all records now, regardless of threshold and back-off. Returns when no record waits or a delivery has
    /// failed, or when the calling task is cancelled; in that case the sending continues.
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

    /// Makes the last sync of a graceful stop. As ``sync()``, but only if the sink sends automatically. A stop by
    /// cancellation also waits for it, until ``abandonFlush()``.
    func flush() async {
        guard machine.configuration.autoSync, let waiter = await beginFlush() else { return }
        await withCheckedContinuation { flushes.add($0, number: waiter) }
    }

    /// Requests that all records be sent. Returns the number to wait under, or `nil` when there is no record to send.
    private func beginFlush() async -> Int? {
        guard !pauses.isClosed else { return nil }
        await countBacklog()
        guard queue.count > 0, let waiter = flushes.join() else { return nil }
        machine.request()
        signal.raise()
        return waiter
    }

    /// Ends the flush, also one that has not begun, because its time is over.
    func abandonFlush() {
        resume(flushes.end())
    }

    /// Clears the state after the store was emptied.
    func cleared() async {
        delivery.clear()
        await refresh()
    }

    func reconfigure(_ configuration: SyncConfiguration) {
        machine.configuration = configuration
        signal.raise()
    }

    // MARK: Life

    /// Delivers until cancelled.
    func run() async {
        await countBacklog()
        machine.bypassThreshold()  // records of an earlier run do not wait for the threshold
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
        resume(flushes.end())
    }

    private func resume(_ waiters: [CheckedContinuation<Void, Never>]) {
        for waiter in waiters { waiter.resume() }
    }

    // MARK: Pauses

    /// Cancels the delivery under way for a pause and returns when it has ended. This counts neither as a success nor
    /// as a failure, and its records are delivered again.
    func interrupt() async {
        guard let attempt else { return }
        isInterrupted = true
        attempt.cancel()
        _ = await attempt.value
    }

    /// Continues after a pause, including a wait after a failure.
    nonisolated func resume() { signal.raise() }

    private func waitForEndOfPause() async {
        if let line = notice.line(at: watch.now) { log(line) }
        show(waitingUntil: nil)
        resume(flushes.finish())
        await signal.wait(for: pauses.remaining, on: watch.clock)
    }

    // MARK: Status

    private func show(waitingUntil until: TrackInstant?) {
        switch machine.phase {
        case .gathering, .delivering: deliveries.activity = .waiting
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

    /// Sleeps on the tracker's clock.
    nonisolated func pause(_ duration: Duration) async throws {
        try await watch.clock.sleep(for: duration)
    }
}
