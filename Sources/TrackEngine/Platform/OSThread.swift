#if canImport(Glibc) || canImport(Musl)
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// A thread of the operating system, for calls that block and must not hold up Swift's own threads.
    package enum OSThread {
        /// The system has no thread left.
        package struct StartError: Error {
            /// The system's error number (pthread_create(3)).
            package let code: Int32
        }

        private final class Body: Sendable {
            let run: @Sendable () -> Void

            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }

        /// Runs `body` on a new thread that ends with it and that nobody joins.
        package static func start(_ body: @escaping @Sendable () -> Void) throws(StartError) {
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
                throw StartError(code: code)
            }
            pthread_detach(thread)
        }
    }
#endif
