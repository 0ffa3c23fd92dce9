import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// The writing end of a named pipe that trackd reads as a file.
enum NamedPipe {
    /// Opening a pipe for writing without waiting succeeds as soon as a reader has opened it too.
    static func writer(_ path: String) async throws -> Int32 {
        var descriptor: Int32 = -1
        await eventually("trackd reads \(path)") {
            descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return descriptor >= 0
        }
        try #require(descriptor >= 0)
        return descriptor
    }
}
