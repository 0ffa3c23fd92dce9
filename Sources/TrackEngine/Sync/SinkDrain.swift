internal import Logging

/// Brings the store's records to one sink: asks the state machine when, delivers, and settles what was taken.
///
/// A shell: what to do is decided by ``SyncStateMachine`` and ``CulpritSearch``. One delivery is under way at a time,
/// and a batch that has failed is kept as it was, so that a retry has the same boundaries and gives the same bytes.
actor SinkDrain {
    nonisolated let sink: any FixSink
    private let store: any FixStore
    private let watch: Stopwatch
    private let wallClock: @Sendable () -> Timestamp
    private let logger: Logger
    private let signal = WakeSignal()
    private var machine: SyncStateMachine
    private var search = CulpritSearch()
    private var generator = SystemRandomNumberGenerator()
    /// What is being delivered, until it is settled.
    private var current: (batch: PendingBatch, newest: TrackRecord?)?
    /// The newest record that waits, as far as is known.
    private var newest: TrackRecord?
    /// How often records have come, to notice those that come while the backlog is counted.
    private var news = 0
    private var isRunning = false
    private var isFlushAbandoned = false
    private let onSettled: @Sendable () -> Void
    private(set) var state = SyncState()
    private var flushWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastFlushWaiter = 0

    init(
        _ binding: SinkBinding, store: any FixStore, watch: Stopwatch,
        wallClock: @escaping @Sendable () -> Timestamp, logger: Logger,
        onSettled: @escaping @Sendable () -> Void = {}
    ) {
        sink = binding.sink
        machine = SyncStateMachine(binding.sync)
        self.store = store
        self.watch = watch
        self.wallClock = wallClock
        self.logger = logger
        self.onSettled = onSettled
    }

    // MARK: News

    /// Records were stored, oldest first.
    func stored(_ records: [TrackRecord]) {
        guard let first = records.first else { return }
        if state.queued == 0 { state.oldest = first.fix.time }
        state.queued += records.count
        newest = records.last
        news += 1
        if records.contains(where: { $0.event != nil }) { machine.urge() }
        signal.raise()
    }

    /// The queue changed in a way that has to be looked up (pruned, cleared, requeued).
    func refresh() async {
        await countBacklog()
        signal.raise()
    }

    /// Sends everything now, whatever threshold and back-off say; returns when nothing waits or a delivery has failed, or
    /// when whoever waits is cancelled. The sending goes on then.
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

    /// The last sync of a graceful stop: as ``sync()``, but only where the sink sends by itself, and a stop that comes as
    /// a cancellation waits for it, too, until ``abandonFlush()``.
    func flush() async {
        guard machine.configuration.autoSync, let waiter = await beginFlush() else { return }
        await withCheckedContinuation { flushWaiters[waiter] = $0 }
    }

    /// Has everything sent; answers under which number to wait for that, `nil` when there is nothing to wait for.
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
        current = nil
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
        machine.urge()  // what an earlier run left over does not wait for the threshold
        while !Task.isCancelled {
            switch machine.next(queued: state.queued, at: watch.now) {
            case .send: await send()
            case .wait(let until):
                show(waitingUntil: until)
                finishFlush()
                await signal.wait(for: until.map(watch.remaining), on: watch.clock)
            }
        }
        isRunning = false
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
        case .backingOff: state.activity = .backingOff
        case .paused: state.activity = .paused
        }
        state.nextDue = until.map { wallClock().advanced(by: watch.remaining(until: $0)) }
    }

    private func countBacklog() async {
        do {
            var before: Int
            repeat {
                before = news
                let backlog = try await store.backlog(of: sink.id)
                (state.queued, state.oldest, newest) = (backlog.count, backlog.oldest, backlog.newest)
            } while news != before
        } catch {
            logger.warning("cannot read the queue", metadata: ["sink": "\(sink.id)", "error": "\(error)"])
        }
    }

    /// Waits on the tracker's clock.
    nonisolated func pause(_ duration: Duration) async throws {
        try await watch.clock.sleep(for: duration)
    }

    // MARK: Delivering

    private func send() async {
        do {
            guard let (batch, newest) = try await currentBatch() else {
                state.queued = 0
                state.oldest = nil
                return
            }
            state.activity = .sending
            state.lastAttempt = wallClock()
            let portion = search.portion(of: batch.records.count)
            let records = portion.records(of: batch)
            await deliver(RecordBatch(records: records, current: newest), portion: portion)
        } catch {
            logger.warning("cannot read the queue", metadata: ["sink": "\(sink.id)", "error": "\(error)"])
            fail("local store: \(error)", retryAfter: nil)
        }
    }

    private func currentBatch() async throws(StoreError) -> (batch: PendingBatch, newest: TrackRecord?)? {
        if let current { return current }
        let size = min(machine.configuration.maxBatchSize, search.limit)
        guard let batch = try await store.nextBatch(for: sink.id, limit: size) else { return nil }
        state.oldest = batch.records.first?.fix.time
        current = (batch, state.queued > batch.records.count ? newest : nil)
        return current
    }

    private func deliver(_ batch: RecordBatch, portion: CulpritSearch.Portion) async {
        do {
            let receipt = try await sink.deliver(batch)
            await accept(receipt, of: batch, portion: portion)
        } catch {
            guard !Task.isCancelled else { return }
            await reject(error, portion: portion)
        }
    }

    private func accept(_ receipt: Receipt, of batch: RecordBatch, portion: CulpritSearch.Portion) async {
        let settled = Array(batch.records.prefix(max(0, receipt.settled)))
        guard !settled.isEmpty else { return fail("the sink settled nothing", retryAfter: nil) }
        machine.succeeded()
        state.tried = 0
        state.lastSuccess = wallClock()
        state.failure = nil
        switch search.taken(portion) {
        case .goOn, .backOff, .firstIsDead: await settle(settled, refused: receipt.refused)
        case .firstIsDeadSecondTaken: await bury(alsoSettling: 1)
        }
    }

    private func reject(_ error: DeliveryError, portion: CulpritSearch.Portion) async {
        state.lastFailure = wallClock()
        state.failure = error.reason
        let verdict: CulpritSearch.Verdict
        var retryAfter: Duration?
        switch error.recovery {
        case .pause:
            search.unreachable()
            machine.paused(at: watch.now)
            state.tried = machine.tried
            return note(error)
        case .retry(let after):
            search.unreachable()
            retryAfter = after
            verdict = .backOff
        case .retrySuspectingRecord(let after):
            retryAfter = after
            let hasSecond = (current?.batch.records.count ?? 0) > 1
            verdict = search.failedSuspiciously(portion, hasSecond: hasSecond)
        case .tooLarge: verdict = search.tooLarge(portion)
        case .refused: verdict = search.refused(portion)
        }
        note(error)
        switch verdict {
        case .goOn: break
        case .backOff: fail(error.reason, retryAfter: retryAfter)
        case .firstIsDead, .firstIsDeadSecondTaken: await bury(alsoSettling: 0)
        }
    }

    private func note(_ error: DeliveryError) {
        logger.notice("delivery failed", metadata: ["sink": "\(sink.id)", "reason": "\(error.reason)"])
    }

    private func fail(_ reason: String, retryAfter: Duration?) {
        state.lastFailure = wallClock()
        state.failure = reason
        machine.failed(at: watch.now, retryAfter: retryAfter, using: &generator)
        state.tried = machine.tried
    }

    // MARK: Settling

    /// Makes the first record of the batch a dead letter and settles so many after it.
    private func bury(alsoSettling more: Int) async {
        guard let records = current?.batch.records, let culprit = records.first else { return }
        let reason = state.failure ?? "refused by the receiver"
        logger.warning("record refused for good", metadata: ["sink": "\(sink.id)", "record": "\(culprit.id)"])
        await settle(Array(records.prefix(1 + more)), refused: [culprit.id: reason])
    }

    private func settle(_ records: [TrackRecord], refused: [RecordID: String]) async {
        guard let batch = current?.batch else { return }
        let settlement = Settlement(origin: batch.origin, records: records, refused: refused, time: wallClock())
        do {
            // Not to be undone by a stop: what the receiver has confirmed is settled even while the drain is cancelled.
            try await Task { [store, sink] in try await store.settle(settlement, for: sink.id) }.value
        } catch {
            logger.warning("cannot settle", metadata: ["sink": "\(sink.id)", "error": "\(error)"])
            return fail("local store: \(error)", retryAfter: nil)
        }
        let rest = Array(batch.records.dropFirst(records.count))
        current = rest.isEmpty ? nil : (PendingBatch(origin: batch.origin, records: rest), current?.newest)
        state.delivered += records.count - refused.count
        state.refused += refused.count
        state.queued = max(0, state.queued - records.count)
        state.oldest = rest.first?.fix.time
        onSettled()
    }
}

extension CulpritSearch.Portion {
    func records(of batch: PendingBatch) -> [TrackRecord] {
        switch self {
        case .first(let count): Array(batch.records.prefix(count))
        case .second: Array(batch.records.dropFirst().prefix(1))
        }
    }
}
