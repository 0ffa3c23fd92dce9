import TrackEngine

/// The queue of appends that wait while a commit runs, or for a commit interval; the next commit includes all of them.
///
/// It holds one request for each waiting caller, so its size is bounded by the number of callers. A commit interval
/// ends early when ``recordLimit`` records wait.
final class GroupCommitQueue: Sendable {
    /// The action of a caller after its request is in the queue.
    enum Part {
        /// Commits the queue.
        case commit
        /// Waits for the interval, or until it is woken, and then commits.
        case waitThenCommit(WakeSignal, Duration, any Clock<Duration>)
        /// Waits until another caller has committed.
        case waitForCommit
    }

    private struct Waiter {
        var appends: [PendingAppend] = []
        var records = 0
        /// Wakes the first caller, while it waits for the interval.
        var leader: WakeSignal?
        var interval = Duration.zero
        var clock: any Clock<Duration> = ContinuousClock()
        var isUrgent = false
    }

    /// The maximum number of records that wait for an interval.
    static let recordLimit = 1_000

    private let waiting = SystemMutex(Waiter())

    var count: Int { waiting.withLock { $0.appends.count } }

    /// Sets the interval for which appends wait. Requests that wait already keep the old interval.
    func gather(for interval: Duration, on clock: any Clock<Duration>) {
        waiting.withLock { waiting in
            waiting.interval = interval
            waiting.clock = clock
        }
    }

    /// Sets whether appends are committed at once in spite of the interval; waiting requests are woken.
    func setUrgent(_ isUrgent: Bool) {
        let leader = waiting.withLock { waiting in
            waiting.isUrgent = isUrgent
            return isUrgent ? waiting.leader : nil
        }
        leader?.raise()
    }

    func enqueue(_ append: PendingAppend) -> Part {
        let (part, woken) = waiting.withLock { waiting -> (Part, WakeSignal?) in
            waiting.appends.append(append)
            waiting.records += append.request.drafts.count
            guard waiting.interval > .zero, !waiting.isUrgent else { return (.commit, nil) }
            if let leader = waiting.leader {
                return (.waitForCommit, waiting.records >= Self.recordLimit ? leader : nil)
            }
            guard waiting.records < Self.recordLimit else { return (.commit, nil) }
            let signal = WakeSignal()
            waiting.leader = signal
            return (.waitThenCommit(signal, waiting.interval, waiting.clock), nil)
        }
        woken?.raise()
        return part
    }

    /// Removes all requests, in the order of their arrival.
    func takeAll() -> [PendingAppend] {
        let (appends, leader) = waiting.withLock { waiting in
            let taken = (waiting.appends, waiting.leader)
            (waiting.appends, waiting.records, waiting.leader) = ([], 0, nil)
            return taken
        }
        leader?.raise()  // its commit is this one
        return appends
    }
}

/// One caller's append and its result.
final class PendingAppend: Sendable {
    let request: AppendRequest
    private let pending = PendingResult<Result<[TrackRecord], StoreError>>()

    init(_ request: AppendRequest) { self.request = request }

    func settle(_ result: Result<[TrackRecord], StoreError>) { pending.end(result) }

    /// Waits until the request has been part of a commit. Only its own caller waits, and a commit always follows.
    func settled() async { _ = await pending.wait() }

    /// The result; available only after the commit that included the request.
    func result() throws(StoreError) -> [TrackRecord] {
        guard let result = pending.value else { throw StoreError(.inputOutput, "the append was not carried out") }
        return try result.get()
    }
}
