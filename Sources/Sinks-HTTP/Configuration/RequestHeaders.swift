import HTTPDelivery
import TrackEngine

/// The header fields that every request of a sink carries.
package enum RequestHeaders {
    /// Ours first, then the configured ones, which may replace `User-Agent` and `Accept`.
    package static func fields(of configuration: OverlandSink.Configuration) -> [(name: String, value: String)] {
        var fields = [(name: "Content-Type", value: "application/json")]
        let own = Set(configuration.headers.map { $0.name.lowercased() })
        if !own.contains("accept") { fields.append((name: "Accept", value: "application/json")) }
        if !own.contains("user-agent") { fields.append((name: "User-Agent", value: HTTPExchange.userAgent)) }
        if let token = configuration.token {
            fields.append((name: "Authorization", value: "Bearer \(token.revealed)"))
        } else if let basic = configuration.basicAuthentication {
            let pair = Base64.encoded("\(basic.user):\(basic.password.revealed)".utf8)
            fields.append((name: "Authorization", value: "Basic \(pair)"))
        }
        return fields + configuration.headers.map { (name: $0.name, value: $0.value.revealed) }
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
