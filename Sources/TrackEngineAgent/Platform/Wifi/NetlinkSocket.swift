import Glibc
import TrackEngine

/// A socket to the kernel's generic netlink. Its calls block for about a second at most: use it on a separate thread.
struct NetlinkSocket {
    /// `AF_NETLINK` and `NETLINK_GENERIC` of bits/socket.h and linux/netlink.h, which Swift's Glibc does not export;
    /// both 16.
    private static let (family, generic): (Int32, Int32) = (16, 16)
    /// The time limit for a datagram, in milliseconds. The kernel normally answers at once.
    private static let patience: Int32 = 1000
    /// The maximum size of a datagram of a dump, in octets, if the reader has room for it.
    private static let datagramSize = 32_768
    /// The maximum number of datagrams for one request.
    private static let mostDatagrams = 1024

    private let descriptor: Descriptor

    /// Opens a socket.
    ///
    /// - Throws: if the system has no such sockets, or does not permit this process to open one, as in many containers.
    init() throws(SystemError) {
        let raw = socket(Self.family, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), Self.generic)
        guard raw >= 0 else { throw SystemError("cannot ask the kernel for wireless networks") }
        descriptor = Descriptor(owning: raw)
    }

    /// Sends a request and collects the kernel's reply.
    func ask(_ request: NetlinkMessage) throws(SystemError) -> [GenericNetlinkMessage] {
        let bytes = request.bytes
        // Without an address a message goes to the kernel.
        guard send(descriptor.raw, bytes, bytes.count, 0) == bytes.count else {
            throw SystemError("cannot ask the kernel for wireless networks")
        }
        var reply = NetlinkReply(to: request.sequence)
        var buffer: [UInt8] = Array(repeating: 0, count: Self.datagramSize)
        for _ in 0..<Self.mostDatagrams where !reply.isComplete {
            let count = receive(&buffer)
            guard count > 0 else { throw SystemError("the kernel does not report wireless networks") }
            try reply.take(Array(buffer.prefix(count)))
        }
        return reply.messages
    }

    /// Waits for a datagram within the time limit; returns the result of recv(2), or -1 with `errno` set.
    private func receive(_ buffer: inout [UInt8]) -> Int {
        var awaited = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        var count: Int32
        repeat { count = poll(&awaited, 1, Self.patience) } while count < 0 && errno == EINTR
        if count > 0 { return recv(descriptor.raw, &buffer, buffer.count, Int32(MSG_DONTWAIT)) }
        if count == 0 { errno = ETIMEDOUT }
        return -1
    }
}
