import NIOCore
import NIOPosix
import TrackEngine

/// Makes event loops, each with a thread of its own. SwiftNIO ends the process with a trap where the system has no thread or
/// descriptor left for one; here that is an error with words.
enum EventLoopThread {
    /// Starts an event loop, which somebody must shut down.
    ///
    /// - Throws: what the system has too little of.
    static func start() throws(SystemError) -> MultiThreadedEventLoopGroup {
        try tryOut()
        return MultiThreadedEventLoopGroup(numberOfThreads: 1)
    }

    /// Calls `body` with an event loop, which ends with it.
    static func with<Result>(_ body: (any EventLoopGroup) async throws -> Result) async throws -> Result {
        try tryOut()
        return try await MultiThreadedEventLoopGroup.withEventLoopGroup(numberOfThreads: 1) { try await body($0) }
    }

    /// Takes what an event loop takes and gives it back. Another thread may be faster afterwards; this one finds a limit that
    /// is too low from the beginning.
    private static func tryOut() throws(SystemError) {
        do throws(SystemError) {
            // Four descriptors: epoll, eventfd and timerfd take three, and the loop needs something to wait for.
            let pipes = [try Descriptor.pipe(), try Descriptor.pipe()]
            try withExtendedLifetime(pipes) { () throws(SystemError) in try OSThread.start {} }
        } catch {
            throw SystemError("cannot start an event loop", code: error.code)
        }
    }
}
