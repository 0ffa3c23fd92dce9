internal import Synchronization
internal import TrackEngine

/// An output that watches how a source behaves towards it.
final class SourceProbe: Sendable {
    /// What the output does with a call of `emit`.
    enum Manner: Sendable {
        /// Takes the fixes after giving others the chance to come in between.
        case accept
        /// Takes nothing and returns only when the source's task is cancelled.
        case hold
    }

    /// What has been seen so far.
    struct Seen: Sendable {
        /// The fixes in order of arrival.
        var fixes: [Fix] = []
        var problems: [SourceProblem] = []
        var statuses: [SourceStatus] = []
        /// Calls of `emit` that have not returned.
        var callsInFlight = 0
        /// The most calls at the same time.
        var mostCallsInFlight = 0
        /// Calls of `emit` in all.
        var calls = 0
        /// Calls of `emit` that began after one had thrown.
        var callsAfterCancellation = 0
        /// Whether a call has thrown `CancellationError`.
        var hasCancelled = false
    }

    private let manner: Manner
    private let state = Mutex(Seen())

    init(_ manner: Manner = .accept) {
        self.manner = manner
    }

    var seen: Seen { state.withLock { $0 } }

    var output: FixOutput {
        FixOutput(
            emit: { [self] fixes throws(CancellationError) in try await take(fixes) },
            report: { [self] problem in state.withLock { $0.problems.append(problem) } },
            status: { [self] status in state.withLock { $0.statuses.append(status) } })
    }

    private func take(_ fixes: [Fix]) async throws(CancellationError) {
        state.withLock { seen in
            seen.calls += 1
            seen.callsInFlight += 1
            seen.mostCallsInFlight = max(seen.mostCallsInFlight, seen.callsInFlight)
            if seen.hasCancelled { seen.callsAfterCancellation += 1 }
        }
        defer { state.withLock { $0.callsInFlight -= 1 } }
        switch manner {
        case .accept:
            for _ in 0..<20 { await Task.yield() }  // a second call would come in here
        case .hold:
            await untilCancelled()
        }
        if Task.isCancelled {
            state.withLock { $0.hasCancelled = true }
            throw CancellationError()
        }
        state.withLock { $0.fixes.append(contentsOf: fixes) }
    }
}

/// Waits until the task is cancelled.
package func untilCancelled() async {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
}
