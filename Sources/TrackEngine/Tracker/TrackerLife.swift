/// When a run of a tracker ends by itself.
public enum TrackerEnd: Sendable, Hashable {
    /// Only ``Tracker/stop()`` ends the run.
    case stopped
    /// The run ends as by ``Tracker/stop()`` when every source has returned for good: for recorded tracks. Live sources
    /// never do. At once when there is no source.
    case sourcesFinished
}

/// The state of a tracker between and during its runs. A pure value: ``Tracker`` tells it what happened.
struct TrackerLife: Sendable {
    /// What holds.
    enum Phase: Hashable {
        /// No run has begun. A stop is kept for the first one. To `starting`, with a stop kept to `ended`.
        case idle(isStopPending: Bool)
        /// A run reads the store; this many sources will run. To `running`, or to `ended` when the store cannot be used.
        case starting(sources: Int)
        /// This many sources have not ended. To `stopping`.
        case running(sources: Int)
        /// The sources have ended; the last sync is under way. To `ended`.
        case stopping
        /// The last run has ended. To `starting`.
        case ended
        /// The last run was given up because the store did not return; its tasks are left. To `ended` when they end.
        case givenUp
    }

    private(set) var phase = Phase.idle(isStopPending: false)

    /// What an embedder sees of it.
    var state: TrackerState {
        switch phase {
        case .idle, .ended, .givenUp: .stopped
        case .starting, .running: .running
        case .stopping: .stopping
        }
    }

    /// Whether there are sources to wait for, those of a first run that has not begun included.
    var awaitsSources: Bool {
        switch phase {
        case .idle: true
        case .starting(let sources), .running(let sources): sources > 0
        case .stopping, .ended, .givenUp: false
        }
    }

    /// What a call of `run()` shall do.
    enum Start: Hashable {
        case run
        /// A stop came before the run.
        case endAtOnce
        /// Another run is under way, or its tasks are left.
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

    /// The store can be used; sources begin.
    mutating func started() {
        guard case .starting(let sources) = phase else { return }
        phase = .running(sources: sources)
    }

    /// What a call of `stop()` shall do.
    enum Stop: Hashable {
        /// Nothing: no run is under way, or the first one will see it.
        case ignore
        /// Ask the run to end and wait until it has.
        case signal
        /// The run ends already: wait until it has.
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

    /// A source has ended; returns whether it was the last one.
    mutating func sourceEnded() -> Bool {
        guard case .running(let sources) = phase else { return false }
        phase = .running(sources: max(0, sources - 1))
        return sources <= 1
    }

    /// All sources have ended, because of a stop or a cancellation.
    mutating func sourcesStopped() {
        switch phase {
        case .starting, .running: phase = .stopping
        case .idle, .stopping, .ended, .givenUp: break
        }
    }

    /// Nobody waits any more for a run that should have ended; returns whether one was under way.
    mutating func giveUp() -> Bool {
        switch phase {
        case .starting, .running, .stopping:
            phase = .givenUp
            return true
        case .idle, .ended, .givenUp: return false
        }
    }

    /// The run has ended, however.
    mutating func ended() {
        phase = .ended
    }
}
