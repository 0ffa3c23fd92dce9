import Glibc
package import TrackEngine

/// Stream sockets in the file system, without blocking.
package enum UnixSocket {
    /// The most bytes of a socket's path: `sun_path` has room for them and a zero.
    static let longestPath = 107

    /// Connects to a listening socket.
    ///
    /// - Throws: ``SystemError`` with `ENOENT` or `ECONNREFUSED` when nobody listens there.
    package static func connect(to path: String) throws(SystemError) -> Descriptor {
        let descriptor = try make()
        let result = try withAddress(path) { Glibc.connect(descriptor.raw, $0, $1) }
        guard result == 0 else { throw SystemError("cannot connect to \(path)") }
        return descriptor
    }

    /// Listens at a path that must be free; only the file's owner may connect.
    static func listen(at path: String) throws(SystemError) -> Descriptor {
        let descriptor = try make()
        let result = try withAddress(path) { bind(descriptor.raw, $0, $1) }
        guard result == 0 else { throw SystemError("cannot make the socket \(path)") }
        guard chmod(path, 0o600) == 0, Glibc.listen(descriptor.raw, 128) == 0 else {
            throw SystemError("cannot listen on \(path)")
        }
        return descriptor
    }

    /// A connection that waits to be accepted; `nil` when none does.
    static func accept(from listener: Descriptor) -> Descriptor? {
        let raw = Glibc.accept(listener.raw, nil, nil)
        return raw >= 0 ? Descriptor(owning: raw) : nil
    }

    /// The user on the other side of a connection, as the kernel knows it.
    static func peerUser(of connection: Descriptor) -> uid_t? {
        // struct ucred, which Glibc's module does not show: pid, uid, gid.
        var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(connection.raw, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials.1
    }

    private static func make() throws(SystemError) -> Descriptor {
        let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw SystemError("cannot make a socket") }
        let descriptor = Descriptor(owning: raw)
        descriptor.makeNonBlocking()
        return descriptor
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) -> Int32 {
        guard var address = sockaddr_un(path: path) else {
            throw SystemError("\(path) is no path for a socket, which has 1 to 107 bytes", code: ENAMETOOLONG)
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

extension sockaddr_un {
    /// The address of a path of 1 to 107 bytes.
    init?(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &sun_path) { room in
            guard (1..<room.count).contains(bytes.count), !bytes.contains(0) else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard fits else { return nil }
    }
}
