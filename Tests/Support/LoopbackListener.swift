import Foundation
import Synchronization

/// Accepts connections on the loopback interface and serves each on a thread of its own.
///
/// It owns its descriptor and can be stopped as often as one likes: what is done to a descriptor after it was closed is
/// done to whatever has got its number since, the connection of another test.
package final class LoopbackListener: Sendable {
    private let descriptor: Int32
    private let isClosed = Mutex(false)

    /// - Parameter serve: has the connection to itself; it is closed afterwards.
    package init(
        at address: LoopbackSocket.Address, backlog: Int32 = 16, serve: @escaping @Sendable (Int32) -> Void
    ) throws {
        descriptor = try LoopbackSocket.listen(at: address, backlog: backlog)
        Thread.detachNewThread { [self] in
            acceptAll(serve)
            isClosed.withLock { isClosed in
                close(descriptor)
                isClosed = true
            }
        }
    }

    /// Whether its descriptor is closed.
    package var hasEnded: Bool { isClosed.withLock { $0 } }

    /// Accepts nobody from now on; connections end when one of their sides does.
    package func stop() {
        isClosed.withLock { isClosed in
            if !isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func acceptAll(_ serve: @escaping @Sendable (Int32) -> Void) {
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard connection >= 0 else { return }
            Thread.detachNewThread {
                serve(connection)
                close(connection)
            }
        }
    }
}
