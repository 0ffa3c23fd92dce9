public import TrackEngine
import TrackEngineSettings

/// The source of access tokens that expire: a token server of OAuth 2 (RFC 6749).
public struct TokenEndpoint: Sendable, Hashable {
    /// The method by which the client authenticates (RFC 6749 section 2.3.1).
    public enum ClientAuthentication: String, Sendable, Hashable, CaseIterable {
        /// By HTTP basic authentication, which every server must support.
        case basic
        /// By `client_id` and `client_secret` in the body.
        case body
    }

    /// The token server's address; `https` unless it is this machine.
    public var url: String
    /// The client's name.
    public var clientID: String
    /// The client's secret; `nil` for a public client.
    public var clientSecret: Secret?
    /// The refresh token that is exchanged for access tokens (section 6); without one, the client requests a token
    /// on its own behalf (section 4.4).
    public var refreshToken: Secret?
    /// The requested scope. Default: the server's own.
    public var scope: String?
    /// The audience of the tokens, if a server requires it.
    public var audience: String?
    /// The method by which the client authenticates. Default basic.
    public var clientAuthentication = ClientAuthentication.basic

    /// A grant.
    public init(url: String, clientID: String, clientSecret: Secret? = nil, refreshToken: Secret? = nil) {
        self.url = url
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.refreshToken = refreshToken
    }
}

extension ConfigurationCheck {
    /// Checks a grant and returns the token server's endpoint.
    mutating func endpoint(of grant: TokenEndpoint) -> Endpoint? {
        if !(1...1024).contains(grant.clientID.utf8.count) { problem("auth.clientID", "***", "1 to 1024 bytes") }
        if grant.refreshToken == nil, grant.clientSecret == nil {
            problem("auth", "{…}", "a refreshToken, or a clientSecret for a client that asks for itself")
        }
        do throws(Endpoint.Malformed) {
            let endpoint = try Endpoint(grant.url)
            if endpoint.origin.scheme == .http, !endpoint.origin.isLoopback {
                problem("auth.refreshUrl", "\(endpoint)", "https: the secrets sent there give full access")
            }
            return endpoint
        } catch {
            problem("auth.refreshUrl", Endpoint.masked(grant.url), error.rawValue)
            return nil
        }
    }
}

// MARK: - Requests

extension TokenEndpoint {
    /// The body of a request (sections 4.4.2 and 6), as a form.
    ///
    /// - Parameter refreshToken: The refresh token to exchange; `nil` for a client that requests a token on its own
    ///   behalf.
    package func body(_ refreshToken: Secret?) -> [UInt8] {
        var fields: [(String, String?)] = [
            ("grant_type", refreshToken == nil ? "client_credentials" : "refresh_token"),
            ("refresh_token", refreshToken?.revealed), ("scope", scope), ("audience", audience),
        ]
        if clientAuthentication == .body || clientSecret == nil {
            fields += [("client_id", clientID), ("client_secret", clientSecret?.revealed)]
        }
        let pairs = fields.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encoded($0))" } }
        return Array(pairs.joined(separator: "&").utf8)
    }

    /// The header fields of a request.
    package var headers: [(name: String, value: String)] {
        var fields = [
            (name: "Content-Type", value: "application/x-www-form-urlencoded"),
            (name: "Accept", value: "application/json"), (name: "User-Agent", value: DeliveryClient.userAgent),
        ]
        if clientAuthentication == .basic, let clientSecret {
            // Both are form-encoded before they are joined (section 2.3.1).
            fields.append((name: "Authorization", value: "Basic \(basicPair(clientSecret))"))
        }
        return fields
    }

    private func basicPair(_ clientSecret: Secret) -> String {
        let pair = [clientID, clientSecret.revealed].map { PercentEncoding.encoded($0) }.joined(separator: ":")
        return Base64.encoded(pair.utf8)
    }

    /// Texts that must not be shown if a server repeats them, in each form in which a request contains them.
    ///
    /// - Parameter other: The refresh token that was exchanged.
    func secrets(with other: Secret?) -> [String] {
        let texts = [clientSecret, refreshToken, other].compactMap { $0?.revealed }
        return texts + texts.map { PercentEncoding.encoded($0) } + (clientSecret.map { [basicPair($0)] } ?? [])
    }
}
