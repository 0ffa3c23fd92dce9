internal import Synchronization

/// Whether a tracker is paused, for its lanes, its drains, and anybody who asks.
///
/// Closed by a call, it opens by a call or at its moment, whichever comes first: no task has to run for that.
final class PauseGate: Sendable {
    private struct Closure {
        let since: Timestamp
        /// When it ends by itself, by both clocks.
        let end: (moment: TrackInstant, time: Timestamp)?
    }

    private struct State {
        var closure: Closure?
        /// How many times a leg has ended.
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

    init(watch: MonotonicClock) { self.watch = watch }

    /// How many times a leg has ended. A track that goes on under another number begins a new one.
    var count: Int { isInUse.load(ordering: .acquiring) ? state.withLock { $0.count } : 0 }

    /// Whether nothing is tracked and nothing sent at this moment.
    var isClosed: Bool {
        guard isInUse.load(ordering: .acquiring) else { return false }
        let now = watch.now
        return state.withLock { $0.isClosed(at: now) }
    }

    /// How long until it opens by itself: zero when that is due, absent where it is not closed or a call has to open it.
    var remaining: Duration? {
        state.withLock { $0.closure?.end }.map { watch.remaining(until: $0.moment) }
    }

    /// The pause under way, with its end by a wall clock that may have been put right since.
    func pause(wallClock: Timestamp) -> Pause? {
        guard isClosed, let closure = state.withLock({ $0.closure }) else { return nil }
        let end = closure.end.map { end in
            let due = wallClock.advanced(by: watch.remaining(until: end.moment))
            let difference = due.duration(since: end.time)
            return (.seconds(-2) ... .seconds(2)).contains(difference) ? end.time : due
        }
        return Pause(since: closure.since, end: end)
    }

    /// Closes the gate, or changes when it opens.
    func close(since: Timestamp, for length: Duration?, wallClock: Timestamp) {
        let end = length.map { (watch.now.advanced(by: $0), wallClock.advanced(by: $0)) }
        state.withLock { state in
            state.count += 1
            state.closure = Closure(since: since, end: end)
        }
        isInUse.store(true, ordering: .releasing)
    }

    /// Ends the leg without a pause.
    func endLeg() {
        state.withLock { $0.count += 1 }
        isInUse.store(true, ordering: .releasing)
    }

    /// Opens the gate, or only if it is time to. Returns whether it was closed: for each closure that is so once, also where
    /// its time was over before.
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

    /// Waits until ``open(ifDue:)``, if it is closed, or until the task is cancelled.
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
