import TrackEngine

/// The header fields of every request of a sink.
package enum RequestHeaderList {
    /// The type of the body, the accepted replies and the form of the token.
    package struct Style: Sendable, Hashable {
        /// The type of the body; `nil` for requests without one.
        package var contentType: String?
        /// The type of replies to request; `nil` for no such field.
        package var accept: String?
        /// The word before a token.
        var tokenScheme = "Bearer"
        /// The parameter of the address that carries the token, instead of `Authorization`; `nil` for none.
        var tokenParameter: String?

        package init(contentType: String?, accept: String? = nil) {
            self.contentType = contentType
            self.accept = accept
        }

        /// JSON in requests and replies.
        package static let json = Style(contentType: "application/json", accept: "application/json")
    }

    /// The header fields of an Overland sink.
    package static func fields(of configuration: OverlandSink.Configuration) -> [(name: String, value: String)] {
        fields(of: configuration.credentials, style(of: configuration))
    }

    /// The style of an Overland sink's requests.
    static func style(of configuration: OverlandSink.Configuration) -> Style {
        var style = Style.json
        style.tokenParameter = configuration.tokenParameter
        return style
    }

    /// The sink's fields, then the configured ones, which may replace `User-Agent` and `Accept`.
    package static func fields(of credentials: RequestCredentials, _ style: Style) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let type = style.contentType { fields.append((name: "Content-Type", value: type)) }
        let own = Set(credentials.headers.map { $0.name.lowercased() })
        if let accept = style.accept, !own.contains("accept") { fields.append((name: "Accept", value: accept)) }
        if !own.contains("user-agent") { fields.append((name: "User-Agent", value: DeliveryClient.userAgent)) }
        if let token = credentials.token, style.tokenParameter == nil {
            fields.append((name: "Authorization", value: "\(style.tokenScheme) \(token.revealed)"))
        } else if let basic = credentials.basicAuthentication {
            let pair = Base64.encoded("\(basic.user):\(basic.password.revealed)".utf8)
            fields.append((name: "Authorization", value: "Basic \(pair)"))
        }
        return fields + credentials.headers.pairs
    }
}

extension [HeaderField] {
    /// The fields in the form that a request takes.
    var pairs: [(name: String, value: String)] { map { (name: $0.name, value: $0.value.revealed) } }
}
