/// The condition under which a run of a tracker ends by itself.
public enum TrackerEnd: Sendable, Hashable {
    /// Only ``Tracker/stop()`` ends the run.
    case stopped
    /// The run ends as with ``Tracker/stop()`` when every source has returned for good: for recorded tracks. Live
    /// sources never return. Without sources the run ends at once.
    case sourcesFinished
}

/// The state of a tracker between and during its runs. A pure value, updated by ``Tracker``.
struct TrackerRunState: Sendable {
    /// The phases of a tracker.
    enum Phase: Hashable {
        /// No run has begun. A stop is kept for the first one. To `starting`, or to `ended` with a stop pending.
        case idle(isStopPending: Bool)
        /// A run reads the store; `sources` is the number of sources that will run. To `running`, or to `ended` when
        /// the store cannot be used.
        case starting(sources: Int)
        /// This many sources have not ended. To `stopping`.
        case running(sources: Int)
        /// The sources have ended; the last sync is under way. To `ended`.
        case stopping
        /// The last run has ended. To `starting`.
        case ended
        /// The last run was given up because the store did not return; its tasks are abandoned. To `ended` when they
        /// end.
        case givenUp
    }

    private(set) var phase = Phase.idle(isStopPending: false)

    /// The public state.
    var state: TrackerState {
        switch phase {
        case .idle, .ended, .givenUp: .stopped
        case .starting, .running: .running
        case .stopping: .stopping
        }
    }

    /// Whether there are sources to wait for, including those of a first run that has not begun.
    var awaitsSources: Bool {
        switch phase {
        case .idle: true
        case .starting(let sources), .running(let sources): sources > 0
        case .stopping, .ended, .givenUp: false
        }
    }

    /// The action of a call of `run()`.
    enum Start: Hashable {
        case run
        /// A stop came before the run.
        case endAtOnce
        /// Another run is under way, or its abandoned tasks still exist.
        case refuse
    }

    mutating func start(sources: Int) -> Start {
        switch phase {
        case .idle(isStopPending: true):
            phase = .ended
            return .endAtOnce
        case .idle(isStopPending: false), .ended:
            phase = .starting(sources: sources)
            return .run
        case .starting, .running, .stopping, .givenUp: return .refuse
        }
    }

    /// Notes that the store can be used and the sources begin.
    mutating func started() {
        guard case .starting(let sources) = phase else { return }
        phase = .running(sources: sources)
    }

    /// The action of a call of `stop()`.
    enum Stop: Hashable {
        /// None: no run is under way, or the first one finds the pending stop.
        case ignore
        /// Ask the run to end and wait until it has.
        case signal
        /// The run is ending already: wait until it has ended.
        case wait
    }

    mutating func stop() -> Stop {
        switch phase {
        case .idle:
            phase = .idle(isStopPending: true)
            return .ignore
        case .starting, .running: return .signal
        case .stopping: return .wait
        case .ended, .givenUp: return .ignore
        }
    }

    /// Notes that a source has ended. Returns whether it was the last one.
    mutating func sourceEnded() -> Bool {
        guard case .running(let sources) = phase else { return false }
        phase = .running(sources: max(0, sources - 1))
        return sources <= 1
    }

    /// Notes that all sources have ended, because of a stop or a cancellation.
    mutating func sourcesStopped() {
        switch phase {
        case .starting, .running: phase = .stopping
        case .idle, .stopping, .ended, .givenUp: break
        }
    }

    /// Gives up a run that should have ended. Returns whether one was under way.
    mutating func giveUp() -> Bool {
        switch phase {
        case .starting, .running, .stopping:
            phase = .givenUp
            return true
        case .idle, .ended, .givenUp: return false
        }
    }

    /// Notes that the run has ended, for any reason.
    mutating func ended() {
        phase = .ended
    }
}
