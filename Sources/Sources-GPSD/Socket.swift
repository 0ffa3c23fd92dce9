internal import Glibc

/// A TCP connection that never blocks, closed when it goes out of scope.
struct Socket: ~Copyable {
    /// What reading brought.
    enum Reading {
        /// This many bytes are in the buffer.
        case bytes(Int)
        /// Nothing for now.
        case nothing
        /// The peer has closed, or the connection broke; the text says which.
        case ended(String)
    }

    let descriptor: Int32

    /// A socket for an address of this family; not yet connected.
    init?(family: Int32) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return nil }
        var on: Int32 = 1
        // Finds out, in hours, about a peer that vanished while we sleep; sooner ends are found by asking.
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Begins to connect; 0 when connected at once, `EINPROGRESS` when the socket will become writable, else why not.
    borrowing func connect(to address: SocketAddress) -> Int32 {
        var storage = address.storage
        let result = withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.connect(descriptor, pointer, address.length)
            }
        }
        return result == 0 ? 0 : errno
    }

    /// How connecting ended, once the socket is writable; 0 is success.
    borrowing func connectResult() -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return result == 0 ? code : errno
    }

    /// Sends a short request in one piece.
    ///
    /// There is no buffer behind it: a request has 40 bytes, so a connection that cannot take one has not been read by
    /// its peer for a long time and counts as broken.
    borrowing func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Reads what there is, at most the buffer's size.
    borrowing func read(into buffer: inout [UInt8]) -> Reading {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended("it closed the connection") }
        return errno == EAGAIN || errno == EINTR ? .nothing : .ended(GPSDError.reason(errno))
    }
}
