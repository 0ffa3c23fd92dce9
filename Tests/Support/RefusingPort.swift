import Foundation

/// A TCP port on the loopback interface that refuses connections as long as this lives.
///
/// Its socket is bound and does not listen, so that the system gives the port to nobody else meanwhile. A server that
/// reuses addresses (SO_REUSEADDR) may still listen there.
package final class RefusingPort: Sendable {
    package let number: Int
    private let descriptor: Int32

    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        number = try TestEnvironment.bindToLoopback(descriptor)
    }

    deinit { close(descriptor) }
}
