internal import Synchronization

/// The pause of a tracker, shared by its processors, its deliveries and callers.
///
/// A call closes the gate. A call or its deadline opens it, whichever comes first; the deadline needs no running task.
package final class PauseState: Sendable {
    private struct Current {
        let since: Timestamp
        /// The time at which the closure ends by itself, by both clocks.
        let end: (moment: TrackInstant, time: Timestamp)?
    }

    private struct State {
        var closure: Current?
        /// The number of legs that have ended.
        var count = 0
        var waiters = WaiterList<CheckedContinuation<Void, Never>>()

        func isClosed(at now: TrackInstant) -> Bool {
            guard let closure else { return false }
            return closure.end.map { now < $0.moment } ?? true
        }
    }

    private let state = Mutex(State())
    /// Whether there may be a closure: fixes of a tracker that was never paused cost no lock.
    private let isInUse = Atomic(false)
    private let watch: MonotonicClock

    package init(watch: MonotonicClock) { self.watch = watch }

    /// The number of legs that have ended. A track that continues under another number begins a new leg.
    var count: Int { isInUse.load(ordering: .acquiring) ? state.withLock { $0.count } : 0 }

    /// Whether tracking and sending are paused at this moment.
    var isClosed: Bool {
        guard isInUse.load(ordering: .acquiring) else { return false }
        let now = watch.now
        return state.withLock { $0.isClosed(at: now) }
    }

    /// The time until the gate opens by itself: zero when that is due, absent if it is open or only a call opens it.
    var remaining: Duration? {
        state.withLock { $0.closure?.end }.map { watch.remaining(until: $0.moment) }
    }

    /// Returns the pause under way, with its end by a wall clock that may have been corrected since.
    func pause(wallClock: Timestamp) -> Pause? {
        guard isClosed, let closure = state.withLock({ $0.closure }) else { return nil }
        let end = closure.end.map { end in
            let due = wallClock.advanced(by: watch.remaining(until: end.moment))
            let difference = due.duration(since: end.time)
            return (.seconds(-2) ... .seconds(2)).contains(difference) ? end.time : due
        }
        return Pause(since: closure.since, end: end)
    }

    /// Closes the gate, or changes the time at which it opens.
    package func close(since: Timestamp, for length: Duration?, wallClock: Timestamp) {
        let end = length.map { (watch.now.advanced(by: $0), wallClock.advanced(by: $0)) }
        state.withLock { state in
            state.count += 1
            state.closure = Current(since: since, end: end)
        }
        isInUse.store(true, ordering: .releasing)
    }

    /// Ends the leg without a pause.
    func endLeg() {
        state.withLock { $0.count += 1 }
        isInUse.store(true, ordering: .releasing)
    }

    /// Opens the gate; with `ifDue`, only after its deadline. Returns whether there was a closure: `true` once for each
    /// closure, also if its deadline had passed before.
    func open(ifDue: Bool = false) -> Bool {
        let now = watch.now
        let waiters: [CheckedContinuation<Void, Never>]? = state.withLock { state in
            guard state.closure != nil, !ifDue || !state.isClosed(at: now) else { return nil }
            state.closure = nil
            return state.waiters.removeAll()
        }
        for waiter in waiters ?? [] { waiter.resume() }
        return waiters != nil
    }

    /// Waits until ``open(ifDue:)`` if the gate is closed, or until the task is cancelled.
    func waitUntilOpen() async {
        guard isClosed else { return }
        let number = state.withLock { $0.waiters.nextNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = watch.now
                let isDone = state.withLock { state in
                    if Task.isCancelled || !state.isClosed(at: now) { return true }
                    state.waiters.add(continuation, number: number)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.remove(number) }?.resume()
        }
    }
}
