import TrackEngine

/// Hands events to all viewers. Events that follow each other quickly are collected and handed on together: a flood
/// of a sender costs one write for each viewer and tenth of a second, and not one for each point.
package final class LivePublisher: Sendable {
    /// The least time between two events that are handed on. A page draws no faster than a person sees.
    package static let pace = Duration.milliseconds(100)
    /// The most events that are handed on together; of more, the newest.
    package static let together = 64

    private struct State: Sendable {
        /// True shortly after an event was handed on: new events then wait.
        var isPaused = false
        var waiting: [LiveEvent] = []
    }

    private let viewers = ValuePublisher<LiveEvent>()
    private let clock: any Clock<Duration>
    private let state = SystemMutex(State())

    package init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// How many watch.
    package var listenerCount: Int { viewers.listenerCount }

    /// The events from now on; the newest `limit` are kept for a slow listener.
    package func listen(bufferingNewest limit: Int) -> AsyncStream<LiveEvent> { viewers.listen(bufferingNewest: limit) }

    /// Hands an event on, at once unless another one was handed on just before.
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
            repeat { try? await clock.sleep(for: Self.pace) } while handOn()  // this task is never cancelled
        }
    }

    /// Hands on the waiting events; returns whether there were any.
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
