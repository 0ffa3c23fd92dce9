/// Where requests go: an absolute `http` or `https` URL, taken apart once and trusted afterwards.
///
/// Its description shows the origin only, because paths and queries of receivers hold tokens.
package struct Endpoint: Sendable, Hashable {
    package enum Scheme: String, Sendable, Hashable {
        case http, https

        var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// What two addresses must share for one to get the credentials of the other (RFC 6454 section 4).
    package struct Origin: Sendable, Hashable {
        package let scheme: Scheme
        /// In lower case; an IPv6 address without its brackets.
        package let host: String
        package let port: Int
    }

    package let origin: Origin
    /// Path and query as given, beginning with a slash.
    package let target: String

    private init(origin: Origin, target: String) {
        self.origin = origin
        self.target = target
    }

    /// The whole address, as a request needs it; it may hold secrets.
    package var text: String { "\(origin)\(target)" }
}

// MARK: Reading

extension Endpoint {
    /// The longest address taken, in bytes.
    package static let maximumLength = 4096

    /// Why a text is no address for us, in words that complete "expected …".
    package enum Malformed: String, Error {
        case characters = "only printable ASCII characters, others percent-encoded"
        case scheme = "an absolute URL that begins with https:// or http://"
        case userInformation = "no user name or password in the URL; there are settings for them"
        case host = "a host name or address"
        case port = "a port from 1 to 65535"
        case length = "at most 4096 bytes"
    }

    /// Takes an absolute URL apart (RFC 3986 section 3); a fragment is cut off.
    package init(_ text: String) throws(Malformed) {
        guard text.utf8.count <= Self.maximumLength else { throw .length }
        guard text.utf8.allSatisfy(Self.isAllowed) else { throw .characters }
        let withoutFragment = text.prefix { $0 != "#" }
        guard let (scheme, rest) = Self.scheme(of: withoutFragment) else { throw .scheme }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .userInformation }
        let (host, port) = try Self.hostAndPort(authority)
        let target = rest[authority.endIndex...]
        self.init(
            origin: Origin(scheme: scheme, host: host.lowercased(), port: port ?? scheme.defaultPort),
            target: target.hasPrefix("/") ? String(target) : "/\(target)")
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: byte > 0x20 && byte < 0x7f
        }
    }

    private static func scheme(of text: Substring) -> (Scheme, rest: Substring)? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
            let scheme = Scheme(rawValue: text[..<colon].lowercased())
        else { return nil }
        return (scheme, text[colon...].dropFirst(3))
    }

    private static func hostAndPort(_ authority: Substring) throws(Malformed) -> (host: Substring, port: Int?) {
        var host = authority
        var port: Int?
        var afterAddress = authority.startIndex
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw .host }
            afterAddress = end
        }
        if let colon = authority[afterAddress...].firstIndex(of: ":") {
            host = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .port }
            if !digits.isEmpty {  // "host:" is allowed and means the default
                guard let number = Int(digits), (1...65_535).contains(number) else { throw .port }
                port = number
            }
        }
        return (try bareHost(host), port)
    }

    private static func bareHost(_ host: Substring) throws(Malformed) -> Substring {
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast()
            guard !address.isEmpty, address.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { throw .host }
            return address
        }
        let isName = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard !host.isEmpty, isName else { throw .host }
        return host
    }
}

// MARK: Other addresses

extension Endpoint {
    /// The address that a `Location` field names, which may be relative; `nil` when it is no address for us.
    package func resolving(_ location: String) -> Endpoint? {
        if let absolute = try? Endpoint(location) { return absolute }  // not absolute: perhaps relative, see below
        if location.hasPrefix("//") {
            return try? Endpoint("\(origin.scheme.rawValue):\(location)")  // not an address: answered with nil
        }
        guard location.hasPrefix("/"), location.utf8.allSatisfy(Self.isAllowed),
            location.utf8.count <= Self.maximumLength
        else { return nil }
        return Endpoint(origin: origin, target: String(location.prefix { $0 != "#" }))
    }
}

extension Endpoint.Origin {
    /// Whether requests to it stay on this machine: `localhost`, 127.0.0.0/8, `::1`.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }
}

extension Endpoint.Origin: CustomStringConvertible {
    /// Scheme, host and, where it is not the usual one, port.
    package var description: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(host)" + (port == scheme.defaultPort ? "" : ":\(port)")
    }
}

extension Endpoint: CustomStringConvertible {
    /// The origin, and three dots in place of what follows.
    package var description: String { target == "/" ? "\(origin)" : "\(origin)/…" }
}
