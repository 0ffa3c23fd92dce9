import Foundation

/// A port that swallows packets: its socket listens, but as many connections as it holds wait for an `accept` that never
/// comes, so the kernel drops whatever else knocks (listen(2)).
final class BlackHole: Sendable {
    let port: Int
    private let listener: Int32
    private let waiting: [Int32]

    /// - Throws: when the kernel lets everybody in all the same.
    init() throws {
        (listener, port) = try LoopbackListener.open(.ipv4, backlog: 0)
        var waiting: [Int32] = []
        var isFull = false
        while !isFull, waiting.count < 64 {
            let (descriptor, isConnected) = Self.knock(port)
            waiting.append(descriptor)
            isFull = !isConnected
        }
        self.waiting = waiting
        guard isFull else { throw CocoaError(.featureUnsupported) }
    }

    deinit {
        for descriptor in waiting { close(descriptor) }
        close(listener)
    }

    /// Whether a connection comes about at once, as it does on this machine when there is room.
    private static func knock(_ port: Int) -> (descriptor: Int32, isConnected: Bool) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(port).bigEndian
        _ = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return (descriptor, poll(&polled, 1, 200) == 1)
    }
}
