package import TrackEngine

/// The queue of requests that wait while a commit runs, or for a commit interval; the next commit includes all of them,
/// so that many callers cost one fsync.
///
/// It holds one request for each waiting caller, so its size is bounded by the number of callers. A commit interval
/// ends early when enough rows wait.
package final class GroupCommitQueue<Request: Sendable, Answer: Sendable>: Sendable {
    /// One caller's request and its result.
    package typealias Waiter = PendingCommit<Request, Answer>

    /// The action of a caller after its request is in the queue.
    package enum Part {
        /// Commits the queue.
        case commit
        /// Waits for the interval, or until it is woken, and then commits.
        case waitThenCommit(WakeSignal, Duration, any Clock<Duration>)
        /// Waits until another caller has committed.
        case waitForCommit
    }

    private struct State {
        var waiters: [Waiter] = []
        var rows = 0
        /// Wakes the first caller, while it waits for the interval.
        var leader: WakeSignal?
        var interval = Duration.zero
        var clock: any Clock<Duration> = ContinuousClock()
        var isUrgent = false
    }

    private let mostRows: Int
    private let rows: @Sendable (Request) -> Int
    private let state = SystemMutex(State())

    /// - Parameters:
    ///   - mostRows: the number of rows that end an interval.
    ///   - rows: returns the number of a request's rows.
    package init(mostRows: Int = .max, rows: @escaping @Sendable (Request) -> Int) {
        self.mostRows = mostRows
        self.rows = rows
    }

    package var count: Int { state.withLock { $0.waiters.count } }

    /// Sets the interval for which requests wait. Requests that wait already keep the old interval.
    package func gather(for interval: Duration, on clock: any Clock<Duration>) {
        state.withLock { state in
            state.interval = interval
            state.clock = clock
        }
    }

    /// Sets whether requests are committed at once in spite of the interval; waiting requests are woken.
    package func setUrgent(_ isUrgent: Bool) {
        let leader = state.withLock { state in
            state.isUrgent = isUrgent
            return isUrgent ? state.leader : nil
        }
        leader?.raise()
    }

    package func enqueue(_ waiter: Waiter) -> Part {
        let rows = rows(waiter.request)
        let (part, woken) = state.withLock { state -> (Part, WakeSignal?) in
            state.waiters.append(waiter)
            state.rows += rows
            guard state.interval > .zero, !state.isUrgent else { return (.commit, nil) }
            if let leader = state.leader {
                return (.waitForCommit, state.rows >= mostRows ? leader : nil)
            }
            guard state.rows < mostRows else { return (.commit, nil) }
            let signal = WakeSignal()
            state.leader = signal
            return (.waitThenCommit(signal, state.interval, state.clock), nil)
        }
        woken?.raise()
        return part
    }

    /// Removes all requests, in the order of their arrival.
    package func takeAll() -> [Waiter] {
        let (waiters, leader) = state.withLock { state in
            let taken = (state.waiters, state.leader)
            (state.waiters, state.rows, state.leader) = ([], 0, nil)
            return taken
        }
        leader?.raise()  // its commit is this one
        return waiters
    }
}

/// One caller's request and its result.
package final class PendingCommit<Request: Sendable, Answer: Sendable>: Sendable {
    package let request: Request
    private let pending = PendingResult<Result<Answer, StoreError>>()

    package init(_ request: Request) { self.request = request }

    package func settle(_ result: Result<Answer, StoreError>) { pending.end(result) }

    /// Waits until the request has been part of a commit. Only its own caller waits, and a commit always follows.
    package func settled() async { _ = await pending.wait() }

    /// The result; available only after the commit that included the request.
    package func result() throws(StoreError) -> Answer {
        guard let result = pending.value else { throw StoreError(.inputOutput, "the request was not carried out") }
        return try result.get()
    }
}
