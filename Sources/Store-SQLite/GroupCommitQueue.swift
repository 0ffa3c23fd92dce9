import TrackEngine

/// Where appends wait while a commit runs, or for a commit interval to pass; the next commit takes all of them along.
///
/// It holds one request for each waiting caller, so it is bounded by the number of callers; a commit interval ends
/// early when ``recordLimit`` records wait.
final class GroupCommitQueue: Sendable {
    /// What a caller does once its request waits.
    enum Part {
        /// Commits what waits.
        case commit
        /// Waits for the interval, or until it is woken, and commits then.
        case waitThenCommit(WakeSignal, Duration, any Clock<Duration>)
        /// Waits until another caller has committed.
        case waitForCommit
    }

    private struct Waiting {
        var appends: [PendingAppend] = []
        var records = 0
        /// Wakes the caller that came first, while it waits for the interval.
        var leader: WakeSignal?
        var interval = Duration.zero
        var clock: any Clock<Duration> = ContinuousClock()
        var isUrgent = false
    }

    /// How many records wait at most for an interval to pass.
    static let recordLimit = 1_000

    private let waiting = PthreadMutex(Waiting())

    var count: Int { waiting.withLock { $0.appends.count } }

    /// Lets appends wait for each other. What waits already keeps the old interval.
    func gather(for interval: Duration, on clock: any Clock<Duration>) {
        waiting.withLock { waiting in
            waiting.interval = interval
            waiting.clock = clock
        }
    }

    /// Whether appends are committed at once all the same; what waits is woken.
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

    /// All that wait, in the order of their arrival.
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
    private enum State {
        /// Waits for a commit. `settle(_:)` leads to `settled`.
        case open
        /// As `open`, and its caller sleeps meanwhile.
        case awaited(CheckedContinuation<Void, Never>)
        /// Committed or refused, for good.
        case settled(Result<[TrackRecord], StoreError>)
    }

    let request: AppendRequest
    private let state = PthreadMutex(State.open)

    init(_ request: AppendRequest) { self.request = request }

    func settle(_ result: Result<[TrackRecord], StoreError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .settled(result) }
            guard case .awaited(let waiter) = state else { return nil }
            return waiter
        }
        waiter?.resume()
    }

    /// Waits until a commit has taken it along. Only its own caller waits, and a commit always follows.
    func settled() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if case .settled = state { return true }
                state = .awaited(continuation)
                return false
            }
            if isSettled { continuation.resume() }
        }
    }

    /// The result; asked only after the commit that took it along.
    func result() throws(StoreError) -> [TrackRecord] {
        guard case .settled(let result) = state.withLock({ $0 }) else {
            throw StoreError(.inputOutput, "the append was not carried out")
        }
        return try result.get()
    }
}
