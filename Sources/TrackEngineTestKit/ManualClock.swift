internal import Synchronization

/// A clock that stands still until a test moves it.
///
/// ``advance(by:)`` wakes every sleeper that falls due on the way, in order of its deadline. Before it moves, a test
/// waits with ``sleepers(atLeast:)`` until the code under test has gone to sleep: that is the event that says "it has
/// done all it can at this time".
public final class ManualClock: Clock, Sendable {
    /// A moment on a ``ManualClock``.
    public struct Instant: InstantProtocol {
        /// Time since the clock was made.
        public let offset: Duration

        /// A moment this long after the clock was made.
        public init(offset: Duration) { self.offset = offset }

        /// The moment this long after.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How long until another moment.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether the left moment is the earlier one.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextTicket = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Int: Watcher] = [:]

        mutating func takeTicket() -> Int {
            nextTicket += 1
            return nextTicket
        }
    }

    private let state = Mutex(State())

    /// A clock at time zero.
    public init() {}

    /// The moment at which the clock stands.
    public var now: Instant { state.withLock { $0.now } }

    /// The clock is exact.
    public var minimumResolution: Duration { .zero }

    /// Waits until a test has moved the clock to the deadline.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let ticket = state.withLock { $0.takeTicket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(Sleeper(deadline: deadline, continuation: continuation), ticket: ticket)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: ticket) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func enqueue(_ sleeper: Sleeper, ticket: Int) {
        enum Outcome {
            case due, cancelled
            case asleep([Watcher])
        }
        let outcome: Outcome = state.withLock { state in
            if Task.isCancelled { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            state.sleepers[ticket] = sleeper
            let count = state.sleepers.count
            let satisfied = state.watchers.filter { $0.value.count <= count }
            for ticket in satisfied.keys { state.watchers[ticket] = nil }
            return .asleep(Array(satisfied.values))
        }
        switch outcome {
        case .due: sleeper.continuation.resume()
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        case .asleep(let satisfied): for watcher in satisfied { watcher.continuation.resume() }
        }
    }

    /// Moves the clock and wakes every sleeper whose deadline it reaches.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for ticket in due.keys { state.sleepers[ticket] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
        }
        for (_, sleeper) in woken { sleeper.continuation.resume() }
    }

    /// Waits until at least this many tasks sleep on the clock, or the task that waits is cancelled, as one is whose test
    /// has taken longer than it may.
    public func sleepers(atLeast count: Int) async {
        let ticket = state.withLock { $0.takeTicket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || state.sleepers.count >= count { return true }
                    state.watchers[ticket] = Watcher(count: count, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { $0.watchers.removeValue(forKey: ticket) }
            watcher?.continuation.resume()
        }
    }

    /// How long until the next sleeper falls due; `nil` when nobody sleeps.
    public var nextDeadline: Duration? { deadlines.first }

    /// How long until each sleeper falls due, the next one first.
    public var deadlines: [Duration] {
        state.withLock { state in
            state.sleepers.values.map { state.now.duration(to: $0.deadline) }.sorted()
        }
    }
}
