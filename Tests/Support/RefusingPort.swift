import Foundation

/// A TCP port on the loopback interface that refuses connections as long as this lives, unless a test's own server takes
/// its place there.
///
/// Its socket is bound and does not listen; the reservation keeps every other test from it.
package final class RefusingPort: Sendable {
    package var number: Int { port.number }
    package let port: ReservedPort
    private let descriptor: Int32

    package init() throws {
        port = try ReservedPort()
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try LoopbackSocket.bind(descriptor, to: .ipv4(port.number))
    }

    deinit { close(descriptor) }
}
