internal import Logging

/// Pauses: nothing is tracked and nothing is sent for a while.
///
/// Sources and sinks keep running. Fixes of live sources are dropped before the pipeline and counted as
/// ``RejectionReason/paused``; those of a recording wait. What was accepted before waits, too, with its back-off. The first fix
/// afterwards begins a new leg (``RecordCause/resumed``): the way there is nobody's business and not in the odometer.
extension Tracker {
    /// Whether nothing is tracked and nothing is sent at this moment.
    public nonisolated var isPaused: Bool { pauses.isClosed }

    /// Begins a pause, or changes when the present one ends; also before a run, which then begins with it.
    ///
    /// When it returns, nothing is tracked and nothing is sent. Deliveries under way are cancelled, and made again afterwards. A
    /// sink or a store that does not come to an end is waited for no longer than five seconds.
    ///
    /// A pause lives as long as the tracker: whoever wants it to outlive the process keeps it.
    ///
    /// - Parameter length: how long it lasts by the tracker's clock; absent for until ``resume()``.
    @discardableResult
    public func pause(for length: Duration? = nil) async -> Pause {
        await pause(for: length, since: nil)
    }

    /// Goes on with a pause that began earlier.
    package func pause(for length: Duration?, since: Timestamp?) async -> Pause {
        let now = wallClock()
        let since = since ?? pauses.pause(wallClock: now)?.since ?? now
        pauses.close(since: since, for: length, wallClock: now)
        logger.notice("paused", metadata: ["until": "\(pauses.pause(wallClock: now)?.end?.rfc3339() ?? "resumed")"])
        pauseSignal.raise()
        let isDone = WakeSignal()
        // Not a child: a store or a sink that does not return must not keep the pause from being confirmed.
        Task {
            for drain in drains { await drain.interrupt() }
            await interruptTracks()
            isDone.raise()
        }
        await isDone.wait(for: .seconds(5), on: watch.clock)
        return pauses.pause(wallClock: wallClock()) ?? Pause(since: since, end: wallClock())
    }

    /// Ends a pause. Without one it does nothing.
    public func resume() {
        if pauses.open() { pauseEnded() }
    }

    /// Has what is tracked from now on begin a new leg, because a pause has ended while no tracker was there.
    package func endLeg() async {
        pauses.endLeg()
        await interruptTracks()
    }

    /// Ends each pause at its time. Runs until cancelled.
    func endPauses() async {
        while !Task.isCancelled {
            let remaining = pauses.remaining
            if remaining == .zero {
                if pauses.open(ifDue: true) { pauseEnded() }
                continue
            }
            // Not all at once: a timer may stand still while the machine sleeps.
            await pauseSignal.wait(for: remaining.map { min($0, .seconds(60)) }, on: watch.clock)
        }
    }

    private func pauseEnded() {
        logger.notice("resumed")
        for drain in drains { drain.resume() }
        // Beside it: a store that cannot write must not keep the pause from ending.
        Task { for lane in lanes { await lane.pauseEnded() } }
    }

    /// Ends every live source's leg, for a run after this one, too.
    private func interruptTracks() async {
        if state == .running { for lane in lanes { await lane.interrupt() } }
        do { try await forgetLiveCheckpoints() } catch {
            logger.warning("the store does not know of the pause", metadata: ["error": "\(error)"])
        }
    }

    /// Lets live sources begin afresh in the next run; the odometers stay.
    func forgetLiveCheckpoints() async throws(StoreError) {
        try await store.forgetCheckpoints(butOf: Set(sources.filter { $0.timeBase == .fixTime }.map(\.id)))
    }
}
