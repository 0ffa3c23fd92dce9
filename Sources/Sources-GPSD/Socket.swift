internal import Glibc

/// A TCP connection that never blocks, closed when it goes out of scope.
struct Socket: ~Copyable {
    /// The result of a read.
    enum Reading {
        /// This many bytes are in the buffer.
        case bytes(Int)
        /// No data is available now.
        case nothing
        /// The peer has closed the connection, or it broke; the text is the reason.
        case ended(String)
    }

    let descriptor: Int32

    /// Creates a socket for an address of this family; not yet connected.
    init?(family: Int32) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return nil }
        var on: Int32 = 1
        // Detects, after hours, a peer that vanished during sleep; requests detect other failures sooner.
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Starts to connect. Returns 0 if connected at once, `EINPROGRESS` if the socket will become writable, or another
    /// error.
    borrowing func connect(to address: SocketAddress) -> Int32 {
        var storage = address.storage
        let result = withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.connect(descriptor, pointer, address.length)
            }
        }
        return result == 0 ? 0 : errno
    }

    /// The result of connecting, after the socket has become writable; 0 is success.
    borrowing func connectResult() -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return result == 0 ? code : errno
    }

    /// Sends a short request in one piece.
    ///
    /// There is no buffer for it: a request has 40 bytes, so if the connection does not accept one, the peer has not
    /// read for a long time, and the connection counts as broken.
    borrowing func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Reads the available data, at most the buffer's size.
    borrowing func read(into buffer: inout [UInt8]) -> Reading {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended("it closed the connection") }
        return errno == EAGAIN || errno == EINTR ? .nothing : .ended(GPSDError.reason(errno))
    }
}
