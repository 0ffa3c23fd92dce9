internal import Logging

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
    var machine: SyncStateMachine
    var search = PoisonRecordSearch()
    var generator = SystemRandomNumberGenerator()
    /// What is being delivered, until it is settled.
    var held: HeldBatch?
    /// What the receiver took ahead of its turn.
    var ahead = TakenAhead()
    /// Which records were rejected by themselves, and why.
    var evidence = Evidence()
    var places = ControlPlaces()
    /// How many records of the delivery under way are settled.
    var settledDuringDelivery = 0
    var notice = DeadLetterNotice()
    /// When a record last became a dead letter.
    var lastRefusal: TrackInstant?
    /// The newest record that waits, as far as is known.
    private(set) var newest: TrackRecord?
    /// How often records have come, to notice those that come while the backlog is counted.
    var news = 0
    /// How often the backlog has been counted, to notice a count that ends during a settlement.
    private(set) var counts = 0
    private var isRunning = false
    private var isFlushAbandoned = false
    let onSettled: @Sendable () -> Void
    let undecided: @Sendable () -> RecordDraft?
    var state = SyncState()
    private var flushWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastFlushWaiter = 0

    /// - Parameters:
    ///   - onSettled: is called when records were settled.
    ///   - undecided: tells the newest fix that may become a record later.
    init(
        _ binding: SinkBinding, store: any FixStore, watch: MonotonicClock,
        wallClock: @escaping @Sendable () -> Timestamp, logger: Logger,
        onSettled: @escaping @Sendable () -> Void = {}, undecided: @escaping @Sendable () -> RecordDraft? = { nil }
    ) {
        sink = binding.sink
        machine = SyncStateMachine(binding.sync)
        self.store = store
        self.watch = watch
        self.wallClock = wallClock
        self.logger = logger
        self.onSettled = onSettled
        self.undecided = undecided
    }

    // MARK: News

    /// Records were stored, oldest first.
    func stored(_ records: [TrackRecord]) {
        guard let first = records.first else { return }
        if state.queued == 0 { state.oldest = first.fix.time }
        state.queued += records.count
        newest = records.last
        news += 1
        if records.contains(where: { $0.event != nil }) { machine.bypassThreshold() }
        signal.raise()
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
                if Task.isCancelled { continuation.resume() } else { flushWaiters[waiter] = continuation }
            }
        } onCancel: {
            Task { await stopWaiting(waiter) }  // a cancellation handler cannot wait for the actor
        }
    }

    private func stopWaiting(_ waiter: Int) {
        flushWaiters.removeValue(forKey: waiter)?.resume()
    }

    /// The last sync of a graceful stop: as ``sync()``, but only where the sink sends by itself, and a stop that comes
    /// as a cancellation waits for it, too, until ``abandonFlush()``.
    func flush() async {
        guard machine.configuration.autoSync, let waiter = await beginFlush() else { return }
        await withCheckedContinuation { flushWaiters[waiter] = $0 }
    }

    /// Has everything sent; returns the number to wait under, or `nil` when there is nothing to wait for.
    private func beginFlush() async -> Int? {
        await countBacklog()
        guard isRunning, !isFlushAbandoned, state.queued > 0 else { return nil }
        machine.request()
        signal.raise()
        lastFlushWaiter += 1
        return lastFlushWaiter
    }

    /// Gives the flush up, begun or not: its time is over.
    func abandonFlush() {
        isFlushAbandoned = true
        finishFlush()
    }

    /// The store was emptied.
    func cleared() async {
        held = nil
        ahead.removeAll()
        endSuspicion()
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
        isRunning = true
        await countBacklog()
        machine.bypassThreshold()  // what an earlier run left over does not wait for the threshold
        while !Task.isCancelled {
            switch machine.next(queued: state.queued, at: watch.now) {
            case .send: await send()
            case .wait(let until):
                if let line = notice.line(at: watch.now) { log(line) }
                show(waitingUntil: until)
                finishFlush()
                await signal.wait(for: until.map(watch.remaining), on: watch.clock)
            }
        }
        isRunning = false
        if let line = notice.last() { log(line) }
        machine.finish()
        finishFlush()
    }

    private func finishFlush() {
        let waiters = flushWaiters
        flushWaiters = [:]
        for waiter in waiters.values { waiter.resume() }
    }

    private func show(waitingUntil until: TrackInstant?) {
        switch machine.phase {
        case .gathering, .draining: state.activity = .waiting
        case .backingOff, .postponed: state.activity = .backingOff
        case .paused: state.activity = .paused
        }
        state.nextDue = until.map { wallClock().advanced(by: watch.remaining(until: $0)) }
    }

    func countBacklog() async {
        do {
            var before: Int
            repeat {
                before = news
                let backlog = try await store.backlog(of: sink.id)
                (state.queued, state.oldest, newest) = (backlog.count, backlog.oldest, backlog.newest)
                counts += 1
            } while news != before
        } catch {
            logger.warning("cannot read the queue", metadata: ["sink": "\(sink.id)", "error": "\(error)"])
        }
    }

    /// Waits on the tracker's clock.
    nonisolated func pause(_ duration: Duration) async throws {
        try await watch.clock.sleep(for: duration)
    }
}
