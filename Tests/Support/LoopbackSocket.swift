import Foundation

/// Sockets on the loopback interface, for servers that tests write themselves.
package enum LoopbackSocket {
    /// Where a socket is bound or connects to.
    package enum Address: Sendable {
        /// A port of 127.0.0.1.
        case ipv4(Int)
        /// A port of ::1.
        case ipv6(Int)
        /// A port of another IPv4 address of this machine.
        case own(String, Int)
    }

    /// Opens a listening socket; answers its descriptor.
    ///
    /// A listener that was closed a moment ago can live on: a program that another test is just starting holds copies of
    /// all descriptors until it has closed them. So an address in use is tried again for up to a minute.
    package static func listen(at address: Address, backlog: Int32) throws -> Int32 {
        let descriptor = socket(family(of: address), Int32(SOCK_STREAM.rawValue), 0)
        do {
            let end = ContinuousClock.now + .seconds(60)
            while let code = bindingFailure(descriptor, to: address) {
                guard code == EADDRINUSE, ContinuousClock.now < end else { throw failure("bind", address, code) }
                usleep(10_000)  // no event tells when the other program has let go
            }
            guard Glibc.listen(descriptor, backlog) == 0 else { throw failure("listen at", address, errno) }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Binds a socket, also to a port whose connections have ended a moment ago.
    package static func bind(_ descriptor: Int32, to address: Address) throws {
        if let code = bindingFailure(descriptor, to: address) { throw failure("bind", address, code) }
    }

    private static func bindingFailure(_ descriptor: Int32, to address: Address) -> Int32? {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        return withSocketAddress(address) { Glibc.bind(descriptor, $0, $1) == 0 ? nil : errno }
    }

    /// Begins to connect; answers a descriptor that does not block, and whether the connection came about within 200 ms,
    /// as it does on this machine when there is room.
    package static func knock(at address: Address) -> (descriptor: Int32, isConnected: Bool) {
        let descriptor = socket(family(of: address), Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = withSocketAddress(address) { Glibc.connect(descriptor, $0, $1) }
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return (descriptor, poll(&polled, 1, 200) == 1)
    }

    /// Connects, however long that takes; `nil` where nobody accepts.
    ///
    /// - Parameter isSmall: whether the system takes little of what comes before it is read: some ten KiB in place of
    ///   megabytes.
    package static func connect(to address: Address, takingLittle isSmall: Bool = false) -> Int32? {
        let descriptor = socket(family(of: address), Int32(SOCK_STREAM.rawValue), 0)
        if isSmall {
            var (room, piece): (Int32, Int32) = (4_096, 536)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4)
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_MAXSEG, &piece, 4)
        }
        if withSocketAddress(address, { Glibc.connect(descriptor, $0, $1) }) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// The next bytes of a connection, read on a thread of its own: a test that waited itself would hold one of the few threads
    /// that the server under test runs on, too.
    package static func receive(from descriptor: Int32, atMost count: Int = 4_096) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var buffer = [UInt8](repeating: 0, count: count)
                let received = recv(descriptor, &buffer, buffer.count, 0)
                continuation.resume(returning: String(decoding: buffer.prefix(max(0, received)), as: UTF8.self))
            }
        }
    }

    /// Whether something accepts TCP connections.
    package static func accepts(at address: Address) -> Bool {
        guard let descriptor = connect(to: address) else { return false }
        close(descriptor)
        return true
    }

    /// Whether this machine has ::1.
    package static let hasIPv6: Bool = {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return (try? bind(descriptor, to: .ipv6(0))) != nil  // that is the answer
    }()

    private static func family(of address: Address) -> Int32 {
        switch address {
        case .ipv4, .own: AF_INET
        case .ipv6: AF_INET6
        }
    }

    private static func withSocketAddress<Result>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch address {
        case .ipv4(let port): return withSocketAddress(.own("127.0.0.1", port), body)
        case .own(let address, let port):
            var form = sockaddr_in()
            form.sin_family = sa_family_t(AF_INET)
            form.sin_addr.s_addr = inet_addr(address)
            form.sin_port = UInt16(port).bigEndian
            return withBytes(of: form, body)
        case .ipv6(let port):
            var form = sockaddr_in6()
            form.sin6_family = sa_family_t(AF_INET6)
            form.sin6_addr = in6addr_loopback
            form.sin6_port = UInt16(port).bigEndian
            return withBytes(of: form, body)
        }
    }

    private static func withBytes<Form, Result>(
        of form: Form, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Form>.size)) }
        }
    }

    private static func failure(_ action: String, _ address: Address, _ code: Int32) -> ReservationError {
        ReservationError(description: "cannot \(action) \(address): \(String(cString: strerror(code)))")
    }
}
