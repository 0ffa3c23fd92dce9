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
        let family: Int32
        var address = sockaddr_in6()  // the larger of the two
        switch place {
        case .ipv4:
            family = AF_INET
            var loopback = sockaddr_in()
            loopback.sin_family = sa_family_t(AF_INET)
            loopback.sin_addr.s_addr = inet_addr("127.0.0.1")
            withUnsafeMutableBytes(of: &address) { $0.storeBytes(of: loopback, as: sockaddr_in.self) }
        case .ipv6(let port):
            family = AF_INET6
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            address.sin6_port = UInt16(port ?? 0).bigEndian
        }
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var length = socklen_t(family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isListening else {
            close(descriptor)
            throw CocoaError(.featureUnsupported)
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin6_port)))  // at the same place for both families
    }

    /// Whether this machine has ::1.
    static let hasIPv6: Bool = {
        guard let (descriptor, _) = try? open(.ipv6(port: nil), backlog: 1) else { return false }  // that is the answer
        close(descriptor)
        return true
    }()
}
