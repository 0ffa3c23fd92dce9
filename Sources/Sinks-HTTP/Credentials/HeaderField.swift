public import TrackEngine

/// A header field of every request, for gateways that require their own key (Cloudflare Access, Authelia).
public struct HeaderField: Sendable, Hashable {
    /// The field's name, for example `CF-Access-Client-Id`.
    public var name: String
    /// Its value, treated as a secret.
    public var value: Secret

    /// Makes a field; ``OverlandSink`` checks it.
    public init(name: String, value: Secret) {
        self.name = name
        self.value = value
    }

    /// The largest number of fields in a configuration.
    package static let maximumCount = 32

    /// The expected form of each invalid name, as the end of "expected …"; `nil` for names that may be sent.
    package static func problems(ofNames names: [String]) -> [String?] {
        var taken: Set<String> = []
        return names.map { name in
            if let problem = HeaderField(name: name, value: Secret("")).problemWithName { return problem }
            return taken.insert(name.lowercased()).inserted ? nil : "each header field once, regardless of case"
        }
    }

    /// The expected form if the name is invalid, as the end of "expected …"; `nil` if it may be sent.
    var problemWithName: String? {
        guard !name.isEmpty, name.utf8.count <= 128, name.utf8.allSatisfy(Self.isTokenByte) else {
            return "a header name of letters, digits and !#$%&'*+-.^_`|~"
        }
        if Self.reserved.contains(name.lowercased()) { return "another name: the sink or HTTP itself sets this one" }
        return nil
    }

    /// Whether the value is one line of at most 8 KiB (RFC 9110 section 5.5): no CR, LF, NUL or other control
    /// character except TAB.
    var hasValidValue: Bool {
        value.revealed.utf8.count <= 8192
            && value.revealed.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
    }

    /// RFC 9110 section 5.6.2, `tchar`.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Fields that frame a message, or that describe the content of requests and the accepted replies.
    private static let reserved: Set<String> = [
        "host", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection", "keep-alive",
        "proxy-connection", "te", "trailer", "upgrade", "expect", "accept-encoding", "http2-settings",
    ]
}
