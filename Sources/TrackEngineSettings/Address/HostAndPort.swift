/// The host and port of a URL's authority (RFC 3986 section 3.2), without user information.
package struct HostAndPort: Sendable, Hashable {
    /// In lower case; an IPv6 address without its brackets.
    package let host: String
    /// The port, 1 to 65535, where one is given.
    package let port: Int?

    /// The invalid part of a text.
    package enum Malformed: Error {
        case host, port
    }

    /// Parses `host`, `host:port` or `[address]:port`; a colon without digits means no port.
    package init(_ authority: Substring) throws(Malformed) {
        var name = authority
        var port: Int?
        var afterAddress = authority.startIndex
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw .host }
            afterAddress = end
        }
        if let colon = authority[afterAddress...].firstIndex(of: ":") {
            name = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .port }
            if !digits.isEmpty {
                guard let number = Int(digits), (1...65_535).contains(number) else { throw .port }
                port = number
            }
        }
        host = try Self.bareHost(name).lowercased()
        self.port = port
    }

    private static func bareHost(_ host: Substring) throws(Malformed) -> Substring {
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast()
            guard address.contains(":"), address.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
                throw .host
            }
            return address
        }
        let isName = host.utf8.allSatisfy { $0.isAlphanumeric || "-._".utf8.contains($0) }
        guard (1...253).contains(host.utf8.count), isName else { throw .host }
        return host
    }
}

extension String {
    /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or `::1`.
    package var isLoopbackHost: Bool {
        if self == "localhost" || self == "::1" { return true }
        let numbers = split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }
}
