import Glibc
import TrackEngine

/// Limits the time that an agent may take to end. A call of the store that does not return cannot be cancelled, and
/// every task that waits for it would wait for ever.
///
/// The watchdog counts on its own thread, because the call may occupy the threads that tasks run on.
package final class EndDeadline: Sendable {
    /// The stages of an agent's end.
    package enum Phase: String, Sendable {
        /// The tracker stores undecided fixes and delivers as many records as it can; requests at the control socket
        /// end.
        case tracker = "the tracker and the control socket"
        /// The sinks close their connections; the sources have ended with the tracker.
        case connections = "the sources and sinks"
        /// The store empties its log and closes its files.
        case store = "the store"
    }

    private enum State {
        /// The agent runs. To `ending` when it is asked to end, or ends by itself.
        case running
        /// The time runs. To `ended` when everything is closed.
        case ending(Phase)
        /// Everything is closed; the time no longer runs.
        case ended
    }

    private let state = SystemMutex(State.running)
    private let giveUp: @Sendable (Phase, Duration) -> Void

    /// The time that an end may take beyond `flushTimeout`. The tracker abandons its store after ten seconds of it.
    static let patience = Duration.seconds(15)

    /// Makes an idle watchdog.
    ///
    /// - Parameter giveUp: is called on the watchdog's thread, with the stage that has not ended and the time limit.
    package init(giveUp: @escaping @Sendable (Phase, Duration) -> Void) { self.giveUp = giveUp }

    /// Sets the stage that the end waits for. The first call starts the time; the limits of later calls are ignored.
    package func wait(for stage: Phase, atMost limit: Duration) {
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
        // If the system cannot start another thread, the end has no limit.
        try? SystemThread.start { [self] in
            let end = ContinuousClock.now.advanced(by: limit)
            Self.sleep(until: end)
            limitReached(limit)
        }
    }

    /// Ends the watch: everything is closed.
    package func ended() { state.withLock { $0 = .ended } }

    private func limitReached(_ limit: Duration) {
        let stage: Phase? = state.withLock { state in
            switch state {
            case .ending(let stage): stage
            case .running, .ended: nil
            }
        }
        if let stage { giveUp(stage, limit) }
    }

    /// Blocks the thread until a time. Each wait lasts a minute at most, because the clock of poll(2) stops while the
    /// machine sleeps; a signal may end a wait early.
    private static func sleep(until end: ContinuousClock.Instant) {
        while end > .now { poll(nil, 0, min(end - .now, .seconds(60)).pollTimeout) }
    }
}
