/// The address for requests: an absolute `http` or `https` URL that is validated once, when it is parsed.
///
/// The description contains only the origin, because the paths and queries of servers hold tokens.
package struct Endpoint: Sendable, Hashable {
    package enum Scheme: String, Sendable, Hashable {
        case http, https

        var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// The parts that two addresses must share for one to receive the credentials of the other (RFC 6454 section 4).
    package struct Origin: Sendable, Hashable {
        package let scheme: Scheme
        /// In lower case; an IPv6 address without its brackets.
        package let host: String
        package let port: Int
    }

    package let origin: Origin
    /// Path and query as given, beginning with a slash; all characters are as RFC 3986 allows them there, so that every
    /// library sends them unchanged.
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
    /// The maximum length of an address, in bytes.
    package static let maximumLength = 4096

    /// The reason why a text is not a valid address, in words that complete "expected …".
    package enum Malformed: String, Error {
        case characters = "only printable ASCII characters, others percent-encoded"
        case placeholders =
            "no placeholders such as {0}, but the address alone, as in url: https://track.example.org/"
        case escape = "two hexadecimal digits behind each %; one that means itself is written %25"
        case scheme = "an address such as https://track.example.org/api"
        case userInformation = "no user and password in the address, but token or basicAuth"
        case host = "a host name or an IP address"
        case port = "a port of 1 to 65535"
        case length = "at most 4096 bytes"
    }

    /// Parses an absolute URL (RFC 3986 section 3) and removes its fragment.
    package init(_ text: String) throws(Malformed) {
        guard text.utf8.count <= Self.maximumLength else { throw .length }
        guard text.utf8.allSatisfy(Self.isAllowed) else {
            throw text.utf8.allSatisfy { Self.isAllowed($0) || Self.isBrace($0) } ? .placeholders : .characters
        }
        let withoutFragment = text.prefix { $0 != "#" }
        guard let (scheme, rest) = Self.scheme(of: withoutFragment) else { throw .scheme }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .userInformation }
        let place = try Self.split(authority)
        let target = rest[authority.endIndex...]
        self.init(
            origin: Origin(scheme: scheme, host: place.host, port: place.port ?? scheme.defaultPort),
            target: try Self.target(target.hasPrefix("/") ? String(target) : "/\(target)"))
    }

    /// A path and query with brackets escaped, which RFC 3986 allows in a host alone.
    private static func target(_ text: String) throws(Malformed) -> String {
        guard PercentEncoding.hasWholeEscapes(text) else { throw .escape }
        return PercentEncoding.encoded(text) { "[]".utf8.contains($0) }
    }

    /// Parses a URL for a caller that does not need the reason why a text is not an address, or has reported it
    /// before.
    package init?(ifReadable text: String) {
        do throws(Malformed) { try self.init(text) } catch { return nil }
    }

    private static func isBrace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") }

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
    /// The address with these parameters, `name=value&…`, after its existing ones.
    package func appending(query: String) -> Endpoint {
        Endpoint(origin: origin, target: target + (self.query == nil ? "?" : "&") + query)
    }

    /// The address of a `Location` field, which may be relative; `nil` if it is not a valid address.
    package func resolving(_ location: String) -> Endpoint? {
        if let absolute = Endpoint(ifReadable: location) { return absolute }
        if location.hasPrefix("//") { return Endpoint(ifReadable: "\(origin.scheme.rawValue):\(location)") }
        guard location.hasPrefix("/") else { return nil }
        return Endpoint(ifReadable: "\(origin)\(location)")
    }
}

extension Endpoint.Origin {
    /// Whether requests to it stay on this machine.
    package var isLoopback: Bool { host.isLoopbackHost }
}

extension Endpoint.Origin: CustomStringConvertible {
    /// Scheme and host, with the port if it is not the default one.
    package var description: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(host)" + (port == scheme.defaultPort ? "" : ":\(port)")
    }
}

extension Endpoint: CustomStringConvertible {
    /// The origin, with three dots in place of the rest.
    package var description: String { target == "/" ? "\(origin)" : "\(origin)/…" }
}

extension Endpoint {
    /// The address in a text with three stars for each value of its query, or three stars alone if it is not an
    /// address.
    package static func masked(_ text: String) -> String { Endpoint(ifReadable: text)?.masked ?? "***" }

    /// The address with three stars for each value of its query and for each token in its path.
    package var masked: String {
        guard let query else { return "\(origin)\(maskedPath)" }
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            let name: Substring = parameter.prefix { $0 != "=" }
            return name.count == parameter.count ? "***" : "\(name)=***"
        }
        return "\(origin)\(maskedPath)?\(parameters.joined(separator: "&"))"
    }

    /// The address with three stars for each secret that ``hasSecret`` finds; the rest is unchanged.
    package var withoutSecrets: String {
        guard let query else { return "\(origin)\(maskedPath)" }
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            let name: Substring = parameter.prefix { $0 != "=" }
            return String(name).soundsSecret ? "\(name)=***" : String(parameter)
        }
        return "\(origin)\(maskedPath)?\(parameters.joined(separator: "&"))"
    }

    /// Whether the address is known to hold a secret: a parameter with a suspicious name, as in `?token=…` and
    /// `?api_key=…`, or a part of the path by its position.
    package var hasSecret: Bool {
        let segments = pathSegments
        return segments.indices.contains { Self.isKnownSecret($0, of: segments) }
            || (query ?? "").split(separator: "&").contains { String($0.prefix { $0 != "=" }).soundsSecret }
    }

    /// Whether the address holds a secret, or a part of its path looks like one. That is not a reason to reject a file
    /// that others can read, but it is one to show three stars.
    package var mayHaveSecret: Bool { hasSecret || maskedPath != path }

    private var path: String { String(target.prefix { $0 != "?" }) }

    /// The tokens in its path, unmasked.
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

    /// Whether a part of a path is a token by its position or looks like one.
    private static func isSecret(_ index: Int, of segments: [Substring]) -> Bool {
        isKnownSecret(index, of: segments) || segments[index].looksLikeToken
    }

    /// Whether a part of a path is a token by its position: after `/t/` (TrackEngine's own server), `/webhook/` (Home
    /// Assistant), `/gpslogger/` and `/logGet/` (PhoneTrack), before `/telemetry`, or as 20 letters and digits after
    /// `/api/v1/` (ThingsBoard).
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
    /// Whether a header field or a parameter with this name is likely to hold a secret.
    package var soundsSecret: Bool {
        let name = lowercased()
        // By bytes: with `contains` of a text, regular expressions would be in every program, 1.3 MB.
        let bytes = ArraySlice(name.utf8)
        // InfluxDB 1 calls the password p.
        return ["p", "pw", "pin", "sig", "code"].contains(name)
            || ["auth", "token", "key", "secret", "cookie", "pass", "pwd", "session", "signature", "credential"]
                .contains { part in bytes.indices.contains { bytes[$0...].starts(with: part.utf8) } }
    }
}
