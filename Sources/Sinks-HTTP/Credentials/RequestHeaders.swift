import HTTPDelivery
import TrackEngine

/// The header fields that every request of a sink carries.
package enum RequestHeaders {
    /// What requests say about themselves.
    package struct Style: Sendable, Hashable {
        /// The type of the body; `nil` for requests without one.
        package var contentType: String?
        /// What replies are understood; `nil` to say nothing.
        package var accept: String?
        /// The word in front of a token.
        package var tokenScheme = "Bearer"

        package init(contentType: String?, accept: String? = nil) {
            self.contentType = contentType
            self.accept = accept
        }

        /// JSON there and back.
        package static let json = Style(contentType: "application/json", accept: "application/json")
    }

    /// Those of a sink of the Overland format.
    package static func fields(of configuration: OverlandSink.Configuration) -> [(name: String, value: String)] {
        fields(of: configuration.credentials, .json)
    }

    /// Ours first, then the configured ones, which may replace `User-Agent` and `Accept`.
    package static func fields(of credentials: RequestCredentials, _ style: Style) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let type = style.contentType { fields.append((name: "Content-Type", value: type)) }
        let own = Set(credentials.headers.map { $0.name.lowercased() })
        if let accept = style.accept, !own.contains("accept") { fields.append((name: "Accept", value: accept)) }
        if !own.contains("user-agent") { fields.append((name: "User-Agent", value: HTTPExchange.userAgent)) }
        if let token = credentials.token {
            fields.append((name: "Authorization", value: "\(style.tokenScheme) \(token.revealed)"))
        } else if let basic = credentials.basicAuthentication {
            let pair = Base64.encoded("\(basic.user):\(basic.password.revealed)".utf8)
            fields.append((name: "Authorization", value: "Basic \(pair)"))
        }
        return fields + credentials.headers.map { (name: $0.name, value: $0.value.revealed) }
    }
}

/// RFC 4648 section 4.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var group: UInt32 = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            if count == 3 {
                append(group, characters: 4, to: &text)
                (group, count) = (0, 0)
            }
        }
        if count > 0 { append(group << UInt32(8 * (3 - count)), characters: count + 1, to: &text) }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ group: UInt32, characters: Int, to text: inout [UInt8]) {
        for index in 0..<characters {
            text.append(alphabet[Int(group >> UInt32(18 - 6 * index)) & 63])
        }
    }
}
