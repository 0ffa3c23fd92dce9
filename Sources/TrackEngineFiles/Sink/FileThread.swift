import TrackEngine

/// Calls that wait for a disk, on threads of their own: a call may take seconds, and Swift's own threads are few.
enum FileThread {
    /// Runs `body` and returns its result. When the caller is cancelled, `body` continues alone: a call to a disk
    /// that does not respond cannot be interrupted.
    ///
    /// - Throws: `CancellationError`, or the system's error if it has no thread left.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        let pending = PendingResult<Result<Value, any Error>>()
        return try await withTaskCancellationHandler {
            // The caller may have been cancelled before.
            if pending.value == nil {
                do throws(SystemError) { try SystemThread.start { pending.end(.success(body())) } } catch {
                    pending.end(.failure(error))
                }
            }
            return try await pending.wait().get()
        } onCancel: {
            pending.end(.failure(CancellationError()))
        }
    }
}
