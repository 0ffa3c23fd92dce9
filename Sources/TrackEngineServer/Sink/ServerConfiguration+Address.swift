import Glibc

extension ServerConfiguration {
    /// The address under which other machines reach a server without a name: the one that it listens on. A server
    /// that listens on all addresses has the first one of this machine that is no loopback address.
    var addressForOthers: String {
        guard ["0.0.0.0", "::"].contains(host) else { return host }
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return host }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry = entry?.pointee, let address = entry.ifa_addr,
                address.pointee.sa_family == sa_family_t(AF_INET),
                UInt32(entry.ifa_flags) & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var name = [CChar](repeating: 0, count: 64)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return host
    }
}
