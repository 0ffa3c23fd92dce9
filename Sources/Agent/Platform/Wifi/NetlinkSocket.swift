import Glibc
import TrackEngine

/// A socket to the kernel's generic netlink. Its calls block, for a second or so at most: use it on a thread of its own.
struct NetlinkSocket {
    /// `AF_NETLINK` and `NETLINK_GENERIC` of bits/socket.h and linux/netlink.h, which Swift's Glibc does not show; both 16.
    private static let (family, generic): (Int32, Int32) = (16, 16)
    /// How many milliseconds the kernel has for a datagram. It answers at once.
    private static let patience: Int32 = 1000
    /// The kernel puts at most so many octets into a datagram of a dump whose reader gives it the room.
    private static let datagramSize = 32_768
    /// So many datagrams are taken for one request.
    private static let mostDatagrams = 1024

    private let descriptor: Descriptor

    /// Opens a socket.
    ///
    /// - Throws: where the system has none, or does not let this process have one, as in many containers.
    init() throws(SystemError) {
        let raw = socket(Self.family, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), Self.generic)
        guard raw >= 0 else { throw SystemError("cannot ask the kernel for wireless networks") }
        descriptor = Descriptor(owning: raw)
    }

    /// Sends a request and gathers what the kernel says to it.
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
            guard count > 0 else { throw SystemError("the kernel does not tell of wireless networks") }
            try reply.take(Array(buffer.prefix(count)))
        }
        return reply.messages
    }

    /// Waits for a datagram, which does not come later than the kernel's patience allows; what recv(2) returns.
    private func receive(_ buffer: inout [UInt8]) -> Int {
        var awaited = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        var count: Int32
        repeat { count = poll(&awaited, 1, Self.patience) } while count < 0 && errno == EINTR
        if count > 0 { return recv(descriptor.raw, &buffer, buffer.count, Int32(MSG_DONTWAIT)) }
        if count == 0 { errno = ETIMEDOUT }
        return -1
    }
}
