import Foundation

/// A TCP port on the loopback interface that refuses connections as long as this lives.
///
/// Its socket is bound and does not listen, so that nobody else gets the port meanwhile; who reuses addresses, as servers
/// do, may still bind and listen there.
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
