/// Hands each value to every listener; a listener that does not keep up loses the oldest values, never memory.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    private let state = PthreadMutex(State())

    package init() {}

    /// Whether anybody listens.
    package var hasListeners: Bool { listenerCount > 0 }

    /// How many listen.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// A new listener's values from now on; the newest `limit` are kept for it.
    package func listen(bufferingNewest limit: Int) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
        let key = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[key] = nil }
        }
        return stream
    }

    package func send(_ element: Element) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
    }

    /// Ends every listener's sequence.
    package func finish() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }
}
