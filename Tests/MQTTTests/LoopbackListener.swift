import Foundation

/// Listening sockets on the loopback interface.
enum LoopbackListener {
    /// Where to listen.
    enum Place {
        /// 127.0.0.1, on a free port.
        case ipv4
        /// ::1, on a port, or a free one.
        case ipv6(port: Int?)
    }

    /// Opens one; answers its descriptor and its port.
    static func open(_ place: Place, backlog: Int32) throws -> (descriptor: Int32, port: Int) {
        var address = address(place)
        let descriptor = socket(Int32(address.sin6_family), Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let isListening = withSocketAddress(&address) { pointer, length in
            var length = length
            return bind(descriptor, pointer, length) == 0 && listen(descriptor, backlog) == 0
                && getsockname(descriptor, pointer, &length) == 0
        }
        guard isListening else {
            close(descriptor)
            throw CocoaError(.featureUnsupported)
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin6_port)))
    }

    /// Whether a connection to a listener comes about at once, as it does on this machine when there is room.
    static func knock(at place: Place, _ port: Int) -> (descriptor: Int32, isConnected: Bool) {
        var address = address(place)
        address.sin6_port = UInt16(port).bigEndian
        let descriptor = socket(Int32(address.sin6_family), Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = withSocketAddress(&address) { connect(descriptor, $0, $1) }
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return (descriptor, poll(&polled, 1, 200) == 1)
    }

    /// In the larger of the two forms of address; family and port are at the same place in both.
    private static func address(_ place: Place) -> sockaddr_in6 {
        var address = sockaddr_in6()
        switch place {
        case .ipv4:
            var loopback = sockaddr_in()
            loopback.sin_family = sa_family_t(AF_INET)
            loopback.sin_addr.s_addr = inet_addr("127.0.0.1")
            withUnsafeMutableBytes(of: &address) { $0.storeBytes(of: loopback, as: sockaddr_in.self) }
        case .ipv6(let port):
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            address.sin6_port = UInt16(port ?? 0).bigEndian
        }
        return address
    }

    private static func withSocketAddress<Result>(
        _ address: inout sockaddr_in6, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let isOld = Int32(address.sin6_family) == AF_INET
        let length = socklen_t(isOld ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// Whether this machine has ::1.
    static let hasIPv6: Bool = {
        guard let (descriptor, _) = try? open(.ipv6(port: nil), backlog: 1) else { return false }  // that is the answer
        close(descriptor)
        return true
    }()
}
