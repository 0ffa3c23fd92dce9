import Glibc

/// A thread of the operating system, for calls that block and must not delay Swift's own threads.
package enum SystemThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new detached thread, which ends with it.
    ///
    /// - Throws: when the system has no thread left.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let argument = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw SystemError("cannot start a thread", code: code)
        }
        pthread_detach(thread)
    }

    /// Runs `body` to its end on a new thread and returns its result.
    package static func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try start { continuation.resume(with: Swift.Result(catching: body)) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
