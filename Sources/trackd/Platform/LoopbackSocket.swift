import Glibc

/// TCP connections to this machine.
enum LoopbackSocket {
    /// Begins to connect; the descriptor becomes writable once that has succeeded or failed, and reading tells which.
    static func connect(port: UInt16) throws(SystemError) -> Descriptor {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw SystemError("cannot make a socket") }
        let descriptor = Descriptor(owning: raw)
        descriptor.makeNonBlocking()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.connect(raw, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || errno == EINPROGRESS else { throw SystemError("cannot connect to port \(port)") }
        return descriptor
    }
}
