import TrackEngine

/// Hands what happens to all who watch, and when much happens a few times a second what was collected meanwhile: a flood of a
/// sender costs a write for each viewer and tenth of a second, and not one for each point.
package final class LiveFeed: Sendable {
    /// The least time between two events that are handed on. A page draws no faster than a person sees.
    package static let pace = Duration.milliseconds(100)
    /// How many events are handed on together at the most; of more, the newest.
    package static let together = 64

    private struct State: Sendable {
        /// Whether something was handed on a moment ago, so that what comes now waits.
        var isPaused = false
        var waiting: [LiveEvent] = []
    }

    private let viewers = Broadcast<LiveEvent>()
    private let clock: any Clock<Duration>
    private let state = PthreadMutex(State())

    package init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// How many watch.
    package var listenerCount: Int { viewers.listenerCount }

    /// What happens from now on; the newest `limit` are kept for who does not keep up.
    package func listen(bufferingNewest limit: Int) -> AsyncStream<LiveEvent> { viewers.listen(bufferingNewest: limit) }

    /// Hands an event on, at once where nothing happened just before.
    package func send(_ event: LiveEvent) {
        guard viewers.hasListeners else { return }
        let isFirst = state.withLock { state in
            guard state.isPaused else {
                state.isPaused = true
                return true
            }
            state.waiting.append(event)
            if state.waiting.count > Self.together { state.waiting.removeFirst() }
            return false
        }
        guard isFirst else { return }
        viewers.send(event)
        Task {
            repeat { try? await clock.sleep(for: Self.pace) } while handOn()  // nobody cancels it
        }
    }

    /// Hands on what waits; returns whether there was something.
    private func handOn() -> Bool {
        let waiting = state.withLock { state in
            state.isPaused = !state.waiting.isEmpty
            defer { state.waiting = [] }
            return state.waiting
        }
        guard !waiting.isEmpty else { return false }
        viewers.send(LiveEvent(joining: waiting))
        return true
    }
}
