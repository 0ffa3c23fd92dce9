import TrackEngine
package import TrackEngineSettings

/// `{refreshUrl: …, clientID: …, clientSecret: …}`: a token server, for access tokens that expire.
package struct TokenSettings: Sendable, Hashable {
    /// The token server's address; `nil` if no token expires.
    package var refreshUrl: String?
    /// The client's name at the token server.
    package var clientID: String?
    /// The client's secret.
    package var clientSecret: SecretReference?
    /// The refresh token that is exchanged for access tokens.
    package var refreshToken: SecretReference?
    /// The requested scope.
    package var scope: String?
    /// The audience of the tokens.
    package var audience: String?
    /// How the client authenticates. Default basic.
    package var clientAuthentication = TokenEndpoint.ClientAuthentication.basic

    /// Whether there is a token server.
    var isOn: Bool { refreshUrl != nil }

    static let fields: [Field<Self>] = [
        .endpoint("refreshUrl", \.refreshUrl)
            .meaning(
                "The token server's address, where access tokens come from (OAuth 2); https unless it is this machine."),
        .text("clientID", \.clientID, .line).meaning("The client's name at the token server."),
        .secret("clientSecret", \.clientSecret).meaning(
            "The client's secret at the token server; null for a public client."),
        .secret("refreshToken", \.refreshToken)
            .meaning("The token that is exchanged for access tokens; null for a client that asks for itself."),
        .text("scope", \.scope).meaning("The scope of the tokens, where the token server requires it."),
        .text("audience", \.audience).meaning("The audience of the tokens, where the token server requires it."),
        .choice("clientAuthentication", \.clientAuthentication)
            .meaning("How the client authenticates itself: by basic authentication, or in the body."),
    ]
}

extension AuthenticationSettings {
    /// The refresh token: a server that changes it with each use treats a second use of the old one as
    /// theft, and revokes the chain.
    package var conflict: ConflictKey? {
        guard let server = auth.refreshUrl, let token = auth.refreshToken else { return nil }
        let address = Endpoint(ifReadable: server)?.text ?? server
        return ConflictKey(
            place: [address, auth.clientID ?? "", token.place].joined(separator: "\n"), key: "auth.refreshToken",
            expectation:
                "a server that changes refresh tokens with each use ends both; give each sink one of its own, from a login of its own",
            isRefused: false)
    }

    /// Reports the problems of `auth` that can be found without secrets.
    func rejectTokens(in table: inout TableDecoder) {
        guard auth != TokenSettings() else { return }
        guard auth.isOn else {
            return table.reject("auth.refreshUrl", nil, "an address such as https://login.example.org/oauth/token")
        }
        if token != nil { table.reject("auth", "{…}", "either auth or token, both set the Authorization header") }
        var check = ConfigurationCheck()
        _ = check.endpoint(
            of: grant(auth.clientSecret.map { _ in Secret("x") }, auth.refreshToken.map { _ in Secret("x") }))
        for problem in check.problems { table.reject(problem) }
    }

    /// The source of the sink's access tokens; `nil` if no token expires.
    ///
    /// - Throws: The problems with the token server's settings and their secrets.
    func accessTokens(of name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> AccessTokenCache? {
        guard auth.isOn else { return nil }
        let (secret, token) = (
            try secret("auth.clientSecret", auth.clientSecret, context),
            try secret("auth.refreshToken", auth.refreshToken, context)
        )
        return try AccessTokenCache(
            grant(secret, token), tls: configuration.tls,
            file: TokenFile(of: name, in: context.stateDirectory, key: context.storeKey))
    }

    private func secret(
        _ key: String, _ reference: SecretReference?, _ context: PluginContext
    ) throws(ConfigurationError) -> Secret? {
        guard let reference else { return nil }
        return try context.secret(key, reference)
    }

    private func grant(_ clientSecret: Secret?, _ refreshToken: Secret?) -> TokenEndpoint {
        var grant = TokenEndpoint(
            url: auth.refreshUrl ?? "", clientID: auth.clientID ?? "", clientSecret: clientSecret,
            refreshToken: refreshToken)
        grant.scope = auth.scope
        grant.audience = auth.audience
        grant.clientAuthentication = auth.clientAuthentication
        return grant
    }
}

extension SecretReference {
    /// A text that is equal for two references to one secret.
    fileprivate var place: String {
        switch self {
        case .file(let path): "file \(path)"
        case .environment(let name): "environment \(name)"
        case .credential(let name): "credential \(name)"
        case .literal(let secret): "text \(secret.revealed)"
        }
    }
}
