import Glibc
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

    /// Takes the resources of an event loop and releases them. Another thread may take them afterwards; this check
    /// finds limits that are too low from the beginning.
    private static func tryOut() throws(SystemError) {
        let failure = "cannot start an event loop"
        // Four descriptors: epoll, eventfd and timerfd take three, and the loop needs one to wait for. Four more are for
        // other threads: Dispatch ends the process with a trap if it gets none, and it needs one when the main thread
        // ends soon after the start. They are counted, not taken, because those threads run meanwhile.
        guard hasFreeDescriptors(8) else { throw SystemError(failure, code: EMFILE) }
        do throws(SystemError) {
            let pipes = [try Descriptor.pipe(), try Descriptor.pipe()]
            try withExtendedLifetime(pipes) { () throws(SystemError) in try SystemThread.start {} }
        } catch {
            throw SystemError(failure, code: error.code)
        }
    }

    /// Whether the process may open so many more descriptors.
    private static func hasFreeDescriptors(_ count: Int) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }  // unknown
        let numbers = 0..<Int32(clamping: limit.rlim_cur)
        return numbers.lazy.filter { fcntl($0, F_GETFD) == -1 }.prefix(count).count == count
    }
}
