import TrackEngineHTTP

/// An `http` or `https` address, checked as far as a configuration needs it.
struct Endpoint: Hashable {
    /// The address as given.
    let text: String
    /// Whether it is `https`.
    let isSecure: Bool
    /// The host, lower case, without the brackets of IPv6.
    let host: String
    /// The port, where the address names one.
    private let port: UInt16?
    /// What comes before the query, and the query without its question mark.
    private let base: Substring
    private let query: Substring?

    /// What an address must be like.
    static let expectation = "an address such as https://track.example.org/api"

    /// Why a text is no address; the text itself may hold a token and is not repeated.
    enum Malformed: String, Error {
        case notAnAddress = "an address such as https://track.example.org/api"
        case credentials = "no user and password in the address, but token or basicAuth"
        case fragment = "an address without #"
        case port = "a port of 1 to 65535"
        case characters = "only printable ASCII characters, others percent-encoded"
    }

    init(_ text: String) throws(Malformed) {
        guard (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw .notAnAddress
        }
        guard !text.contains("#") else { throw .fragment }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), text.dropFirst(scheme.count).hasPrefix("://") else {
            throw .notAnAddress
        }
        let rest = text.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .credentials }
        (host, port) = try Self.hostAndPort(authority)
        do throws(TrackEngineHTTP.Endpoint.Malformed) {
            _ = try TrackEngineHTTP.Endpoint(text)
        } catch {
            throw error == .characters ? .characters : .notAnAddress
        }
        self.text = text
        isSecure = scheme == "https"
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        base = parts[0]
        query = parts.count == 2 ? parts[1] : nil
    }

    /// Whether the address is this machine's own, so that nothing travels in the clear.
    var isLoopback: Bool { host.isLoopbackHost }

    /// Whether both lead to the same host and port in the same way, secure or not.
    func isSameReceiver(as other: Endpoint) -> Bool {
        let usual: UInt16 = isSecure ? 443 : 80
        return isSecure == other.isSecure && host == other.host && (port ?? usual) == (other.port ?? usual)
    }

    /// The address with the values of its query as three stars: receivers put tokens there.
    var masked: String {
        guard let query else { return text }
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            let name: Substring = parameter.prefix { $0 != "=" }
            return name.count == parameter.count ? "***" : "\(name)=***"
        }
        return "\(base)?\(parameters.joined(separator: "&"))"
    }

    /// Whether a parameter's name says that its value is a secret, as in `?token=…` and `?api_key=…`.
    var hasSecretQuery: Bool {
        (query ?? "").split(separator: "&").contains { String($0.prefix { $0 != "=" }).soundsSecret }
    }

    /// The host, as ``host`` has it, and the port, where there is one.
    static func hostAndPort(_ authority: Substring) throws(Malformed) -> (host: String, port: UInt16?) {
        let host: Substring
        let port: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw .notAnAddress }
            host = authority[authority.index(after: authority.startIndex)..<end]
            port = authority[authority.index(after: end)...]
            guard host.contains(":") else { throw .notAnAddress }
        } else {
            host = authority.prefix { $0 != ":" }
            port = authority.dropFirst(host.count)
        }
        guard TextRule.host.isSatisfied(by: String(host)) else { throw .notAnAddress }
        guard !port.isEmpty else { return (host.lowercased(), nil) }
        guard port.hasPrefix(":"), let number = UInt16(port.dropFirst()), number > 0 else { throw .port }
        return (host.lowercased(), number)
    }
}

extension String {
    /// Whether a host is this machine itself.
    var isLoopbackHost: Bool {
        if self == "localhost" || self == "::1" { return true }
        let parts = split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && parts[0] == 127 && !parts.contains(nil)
    }

    /// Whether a header field or a parameter of this name is likely to hold a secret.
    var soundsSecret: Bool {
        let name = lowercased()
        return ["auth", "token", "key", "secret", "cookie", "password", "session"].contains { name.contains($0) }
    }
}
