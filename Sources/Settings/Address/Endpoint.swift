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
        case scheme = "an address such as https://track.example.org/api"
        case userInformation = "no user and password in the address, but token or basicAuth"
        case host = "a host name or an IP address"
        case port = "a port of 1 to 65535"
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
        let place = try Self.split(authority)
        let target = rest[authority.endIndex...]
        self.init(
            origin: Origin(scheme: scheme, host: place.host, port: place.port ?? scheme.defaultPort),
            target: target.hasPrefix("/") ? String(target) : "/\(target)")
    }

    /// The same for a caller to whom it does not matter why a text is no address, or who has said so before.
    package init?(ifReadable text: String) {
        do throws(Malformed) { try self.init(text) } catch { return nil }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: byte > 0x20 && byte < 0x7f
        }
    }

    private static func split(_ authority: Substring) throws(Malformed) -> HostAndPort {
        do throws(HostAndPort.Malformed) { return try HostAndPort(authority) } catch {
            throw error == .port ? .port : .host
        }
    }

    private static func scheme(of text: Substring) -> (Scheme, rest: Substring)? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
            let scheme = Scheme(rawValue: text[..<colon].lowercased())
        else { return nil }
        return (scheme, text[colon...].dropFirst(3))
    }
}

// MARK: Other addresses

extension Endpoint {
    /// The address with these parameters, `name=value&…`, behind those that it has.
    package func appending(query: String) -> Endpoint {
        Endpoint(origin: origin, target: target + (self.query == nil ? "?" : "&") + query)
    }

    /// The address that a `Location` field names, which may be relative; `nil` when it is no address for us.
    package func resolving(_ location: String) -> Endpoint? {
        if let absolute = Endpoint(ifReadable: location) { return absolute }
        if location.hasPrefix("//") { return Endpoint(ifReadable: "\(origin.scheme.rawValue):\(location)") }
        guard location.hasPrefix("/"), location.utf8.allSatisfy(Self.isAllowed),
            location.utf8.count <= Self.maximumLength
        else { return nil }
        return Endpoint(origin: origin, target: String(location.prefix { $0 != "#" }))
    }
}

extension Endpoint.Origin {
    /// Whether requests to it stay on this machine.
    package var isLoopback: Bool { host.isLoopbackHost }
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

extension Endpoint {
    /// A text's address with the values of its query as three stars, or three stars alone where it is no address.
    package static func masked(_ text: String) -> String { Endpoint(ifReadable: text)?.masked ?? "***" }

    /// The address with the values of its query and a token in its path as three stars.
    package var masked: String {
        guard let query else { return "\(origin)\(maskedPath)" }
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            let name: Substring = parameter.prefix { $0 != "=" }
            return name.count == parameter.count ? "***" : "\(name)=***"
        }
        return "\(origin)\(maskedPath)?\(parameters.joined(separator: "&"))"
    }

    /// The address with three stars for what ``hasSecret`` looks for, and the rest as it is.
    package var withoutSecrets: String {
        guard let query else { return "\(origin)\(maskedPath)" }
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            let name: Substring = parameter.prefix { $0 != "=" }
            return String(name).soundsSecret ? "\(name)=***" : String(parameter)
        }
        return "\(origin)\(maskedPath)?\(parameters.joined(separator: "&"))"
    }

    /// Whether it is known to hold a secret: a parameter whose name says so, as in `?token=…` and `?api_key=…`, or a part of the
    /// path by its place.
    package var hasSecret: Bool {
        let segments = pathSegments
        return segments.indices.contains { Self.isKnownSecret($0, of: segments) }
            || (query ?? "").split(separator: "&").contains { String($0.prefix { $0 != "=" }).soundsSecret }
    }

    /// Whether it holds a secret, or a part of its path looks like one: no reason to refuse a file that others can read, but one to
    /// show three stars.
    package var mayHaveSecret: Bool { hasSecret || maskedPath != path }

    private var path: String { String(target.prefix { $0 != "?" }) }

    /// The tokens in its path, as they stand there.
    package var pathSecrets: [String] {
        let segments = pathSegments
        return segments.indices.filter { Self.isSecret($0, of: segments) }.map { String(segments[$0]) }
    }

    /// The path with three stars for each token.
    private var maskedPath: String {
        let segments = pathSegments
        return segments.indices.map { Self.isSecret($0, of: segments) ? "***" : segments[$0] }.joined(separator: "/")
    }

    private var pathSegments: [Substring] { path.split(separator: "/", omittingEmptySubsequences: false) }

    /// Whether a part of a path is a token by its place or looks like one.
    private static func isSecret(_ index: Int, of segments: [Substring]) -> Bool {
        isKnownSecret(index, of: segments) || segments[index].looksLikeToken
    }

    /// Whether a part of a path is a token by its place: behind `/t/`, where our own server takes one, behind `/webhook/` (Home Assistant),
    /// `/gpslogger/` and `/logGet/` (PhoneTrack), and before `/telemetry` or as 20 letters and digits behind `/api/v1/` (ThingsBoard).
    private static func isKnownSecret(_ index: Int, of segments: [Substring]) -> Bool {
        guard index > 0, !segments[index].isEmpty else { return false }
        let isBehindName = ["t", "webhook", "gpslogger", "logGet"].contains(segments[index - 1])
        let isBeforeName = index + 1 < segments.count && segments[index + 1] == "telemetry"
        let isBehindVersion =
            index > 1 && segments[index - 2] == "api" && segments[index - 1] == "v1" && segments[index].count == 20
            && segments[index].utf8.allSatisfy { $0.isAlphanumeric }
        return isBehindName || isBeforeName || isBehindVersion
    }

    private var query: Substring? {
        target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
    }
}

extension String {
    /// Whether a header field or a parameter of this name is likely to hold a secret.
    package var soundsSecret: Bool {
        let name = lowercased()
        // InfluxDB 1 calls the password p.
        return ["p", "pw", "pin", "sig", "code"].contains(name)
            || ["auth", "token", "key", "secret", "cookie", "pass", "pwd", "session", "signature", "credential"]
                .contains {
                    name.contains($0)
                }
    }
}
