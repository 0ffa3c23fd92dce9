internal import Synchronization

/// Sends each value to every listener. A slow listener loses the oldest values; memory stays bounded.
package final class ValuePublisher<Element: Sendable>: Sendable {
    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    private let state = SystemMutex(State())
    /// Whether there has been a listener: asked twice for every fix, which costs no lock without one.
    private let isInUse = Atomic(false)

    package init() {}

    /// Whether there is at least one listener.
    package var hasListeners: Bool { isInUse.load(ordering: .acquiring) && listenerCount > 0 }

    /// The number of listeners.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Returns a stream of the values sent from now on. The stream buffers the newest `limit` values.
    package func listen(bufferingNewest limit: Int) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
        isInUse.store(true, ordering: .releasing)
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
