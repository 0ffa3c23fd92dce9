import TrackEngine

/// Runs work that blocks on a thread of its own, so that it never occupies one of the cooperative pool.
enum OwnThread {
    /// Starts a thread that ends when `body` returns.
    ///
    /// - Throws: ``SystemError`` when the system has no thread left.
    static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        do throws(TrackEngine.SystemError) {
            try OSThread.start(body)
        } catch {
            throw SystemError("cannot start a thread", code: error.code)
        }
    }

    /// Runs `body` to its end and answers its result.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try start { continuation.resume(with: Swift.Result(catching: body)) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
