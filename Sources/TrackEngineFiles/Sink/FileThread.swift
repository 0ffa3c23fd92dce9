import TrackEngine

/// Calls that wait for a disk, on threads of their own: a call may take seconds, and Swift's own threads are few.
enum FileThread {
    private enum State<Result: Sendable>: Sendable {
        /// The caller does not wait yet.
        case starting
        /// The caller waits for the result, or for its cancellation.
        case waiting(CheckedContinuation<Result, any Error>)
        /// The caller has been resumed or will not wait.
        case ended
    }

    /// Runs `body` and returns its result. When the caller is cancelled, `body` continues alone: a call to a disk
    /// that does not respond cannot be interrupted.
    ///
    /// - Throws: `CancellationError`, or the system's error if it has no thread left.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async throws -> Result {
        let state = SystemMutex(State<Result>.starting)
        @Sendable func waiter() -> CheckedContinuation<Result, any Error>? {
            state.withLock { state in
                defer { state = .ended }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if case .ended = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                do throws(SystemError) {
                    try SystemThread.start {
                        let result = body()
                        waiter()?.resume(returning: result)
                    }
                } catch {
                    waiter()?.resume(throwing: error)
                }
            }
        } onCancel: {
            waiter()?.resume(throwing: CancellationError())
        }
    }
}
