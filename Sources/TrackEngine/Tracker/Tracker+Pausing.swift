internal import Logging

/// Pauses: tracking and sending stop for a while.
///
/// Sources and sinks keep running. Fixes of live sources are dropped before the pipeline and counted as
/// ``RejectionReason/paused``; fixes of a recording wait. Records accepted before the pause wait, too, with their
/// back-off. The first fix afterwards begins a new leg (``RecordCause/resumed``): the way to it stays unknown and is
/// not in the odometer.
extension Tracker {
    /// Whether tracking and sending are paused at this moment.
    public nonisolated var isPaused: Bool { pauses.isClosed }

    /// Begins a pause, or changes the end of the present one. A pause before a run applies when the run begins.
    ///
    /// After this method returns, no fix is tracked and no record is sent. Deliveries under way are cancelled, and
    /// repeated after the pause. The method waits at most five seconds for a sink or a store that does not finish.
    ///
    /// A pause exists only as long as the tracker. A program that needs it to outlive the process must save it.
    ///
    /// - Parameter length: the duration by the tracker's clock; absent for a pause until ``resume()``.
    @discardableResult
    public func pause(for length: Duration? = nil) async -> Pause {
        await pause(for: length, since: nil)
    }

    /// Continues a pause that began earlier.
    package func pause(for length: Duration?, since: Timestamp?) async -> Pause {
        let now = wallClock()
        let since = since ?? pauses.pause(wallClock: now)?.since ?? now
        pauses.close(since: since, for: length, wallClock: now)
        logger.notice("paused", metadata: ["until": "\(pauses.pause(wallClock: now)?.end?.rfc3339() ?? "resumed")"])
        pauseSignal.raise()
        let isDone = WakeSignal()
        // Not a child: a store or a sink that does not return must not keep the pause from being confirmed.
        Task {
            for delivery in deliveries { await delivery.interrupt() }
            await interruptTracks()
            isDone.raise()
        }
        await isDone.wait(for: .seconds(5), on: watch.clock)
        return pauses.pause(wallClock: wallClock()) ?? Pause(since: since, end: wallClock())
    }

    /// Ends a pause. Has no effect without one.
    public func resume() {
        if pauses.open() { pauseEnded() }
    }

    /// Makes the fixes from now on begin a new leg, because a pause has ended while there was no tracker.
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
            // In portions: a timer may not advance while the machine sleeps.
            await pauseSignal.wait(for: remaining.map { min($0, .seconds(60)) }, on: watch.clock)
        }
    }

    private func pauseEnded() {
        logger.notice("resumed")
        for delivery in deliveries { delivery.resume() }
        // In a separate task: a store that cannot write must not keep the pause from ending.
        Task { for processor in processors { await processor.perform(.endPause) } }
    }

    /// Ends every live source's leg, also for a later run.
    private func interruptTracks() async {
        if state == .running { for processor in processors { await processor.perform(.beginPause) } }
        do { try await forgetLiveCheckpoints() } catch {
            logger.warning("the store does not know of the pause", metadata: ["error": "\(error)"])
        }
    }

    /// Makes live sources begin afresh in the next run; the odometers stay.
    func forgetLiveCheckpoints() async throws(StoreError) {
        let others = configuration.sources.filter { $0.timeBase == .fixTime }
        try await store.forgetCheckpoints(butOf: Set(others.map(\.id)))
    }
}
