import NIOCore
import NIOPosix
import TrackEngine

/// Makes event loops, each with its own thread. SwiftNIO ends the process with a trap if the system has no thread or
/// descriptor left for one; here that is an error with a message.
enum EventLoopThread {
    /// Starts an event loop, which the caller must shut down.
    ///
    /// - Throws: if the system lacks a thread or descriptors.
    static func start() throws(SystemError) -> MultiThreadedEventLoopGroup {
        try tryOut()
        return MultiThreadedEventLoopGroup(numberOfThreads: 1)
    }

    /// Calls `body` with an event loop that ends with the call.
    static func with<Result>(_ body: (any EventLoopGroup) async throws -> Result) async throws -> Result {
        try tryOut()
        return try await MultiThreadedEventLoopGroup.withEventLoopGroup(numberOfThreads: 1) { try await body($0) }
    }

    /// Takes the resources of an event loop, and as many descriptors again, and releases them. Another thread may take
    /// them afterwards; this check finds limits that are too low from the beginning.
    private static func tryOut() throws(SystemError) {
        do throws(SystemError) {
            // Eight descriptors: epoll, eventfd and timerfd take three, the loop needs one to wait for, and the four
            // that are left are for what other threads open meanwhile, as Dispatch does.
            let pipes = [try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe()]
            try withExtendedLifetime(pipes) { () throws(SystemError) in try SystemThread.start {} }
        } catch {
            throw SystemError("cannot start an event loop", code: error.code)
        }
    }
}
