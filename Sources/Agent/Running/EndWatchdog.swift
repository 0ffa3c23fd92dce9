import Glibc
import TrackEngine

/// Gives an agent that was told to end a limited time for it: a call of the store that does not return cannot be cancelled,
/// and whatever waits for it would wait for ever.
///
/// It counts on a thread of its own, because those that tasks run on may be occupied by the call.
package final class EndWatchdog: Sendable {
    /// What the end of an agent waits for.
    package enum Stage: String, Sendable {
        /// The tracker stores what is undecided and delivers what it can, and requests at the control socket end.
        case tracker = "the tracker and the control socket"
        /// Sources and sinks close their connections.
        case connections = "the sources and sinks"
        /// The store empties its log and closes its files.
        case store = "the store"
    }

    private enum State {
        /// The agent runs. To `ending` when it is told to end, or ends by itself.
        case running
        /// The time runs. To `ended` when everything is closed.
        case ending(Stage)
        /// Nothing is waited for any more.
        case ended
    }

    private let state = PthreadMutex(State.running)
    private let giveUp: @Sendable (Stage, Duration) -> Void

    /// How much longer than `flushTimeout` an end may take. The tracker gives its store up after ten seconds of them.
    static let patience = Duration.seconds(15)

    /// Makes a watchdog that watches nothing yet.
    ///
    /// - Parameter giveUp: is called on the watchdog's thread, with what is waited for and how long the end has taken.
    package init(giveUp: @escaping @Sendable (Stage, Duration) -> Void) { self.giveUp = giveUp }

    /// Says what the end waits for from now on. The first call begins the time; the limits of later ones do not count.
    package func wait(for stage: Stage, atMost limit: Duration) {
        let begins = state.withLock { state in
            switch state {
            case .running:
                state = .ending(stage)
                return true
            case .ending:
                state = .ending(stage)
                return false
            case .ended: return false
            }
        }
        guard begins else { return }
        // Where the system has no thread left, the end has no limit, as before.
        try? OSThread.start { [self] in
            let end = ContinuousClock.now.advanced(by: limit)
            Self.sleep(until: end)
            limitReached(limit)
        }
    }

    /// Everything is closed.
    package func ended() { state.withLock { $0 = .ended } }

    private func limitReached(_ limit: Duration) {
        let stage: Stage? = state.withLock { state in
            switch state {
            case .ending(let stage): stage
            case .running, .ended: nil
            }
        }
        if let stage { giveUp(stage, limit) }
    }

    /// Blocks the thread until a time. Each wait lasts a minute at most, because the time that poll(2) counts stands still
    /// while the machine sleeps; a signal ends a wait too soon.
    private static func sleep(until end: ContinuousClock.Instant) {
        while end > .now { poll(nil, 0, min(end - .now, .seconds(60)).pollTimeout) }
    }
}
