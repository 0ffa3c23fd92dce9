internal import Synchronization
public import TrackEngine

/// A source that emits what a test hands it, and nothing else.
public final class FedSource: FixSource {
    private enum State {
        /// Not run yet; the test may already wait to feed it.
        case idle([CheckedContinuation<FixOutput, Never>])
        /// Running; ``finish()`` and ``fail(_:)`` end the run.
        case running(FixOutput, CheckedContinuation<Void, any Error>)
    }

    /// The source's name.
    public let id: SourceID
    /// Whose time the motion timers follow.
    public let timeBase: TimeBase
    private let state = Mutex(State.idle([]))

    /// A source with nothing to say yet.
    public init(id: SourceID = "fed", timeBase: TimeBase = .arrival) {
        self.id = id
        self.timeBase = timeBase
    }

    /// Waits for the test's fixes.
    public func run(_ output: FixOutput) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (ending: CheckedContinuation<Void, any Error>) in
                let waiting = state.withLock { state in
                    guard case .idle(let waiting) = state else { return [CheckedContinuation<FixOutput, Never>]() }
                    state = .running(output, ending)
                    return waiting
                }
                for continuation in waiting { continuation.resume(returning: output) }
                if Task.isCancelled { self.end(.failure(CancellationError())) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    private func end(_ result: Result<Void, any Error>) {
        let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard case .running(_, let continuation) = state else { return nil }
            state = .idle([])
            return continuation
        }
        continuation?.resume(with: result)
    }

    /// Ends the run as a source does that has no more fixes.
    public func finish() { end(.success(())) }

    /// Ends the run as a source does that has failed.
    public func fail(_ error: any Error) { end(.failure(error)) }

    /// The output of the current run; waits until there is one.
    public func output() async -> FixOutput {
        await withCheckedContinuation { continuation in
            let output: FixOutput? = state.withLock { state in
                switch state {
                case .idle(let waiting):
                    state = .idle(waiting + [continuation])
                    return nil
                case .running(let output, _): return output
                }
            }
            if let output { continuation.resume(returning: output) }
        }
    }

    /// Emits fixes once the source runs; returns when they are judged and, where accepted, stored.
    public func feed(_ fixes: Fix...) async throws {
        try await output().emit(contentsOf: fixes)
    }
}
