import TrackEngine
package import TrackEngineSettings

/// The common settings of sinks that send credentials.
protocol AuthenticationSettings: HTTPSinkSettings, ConflictSettings {
    /// The bearer token.
    var token: SecretReference? { get set }
    /// HTTP basic authentication, instead of ``token``.
    var basicAuth: BasicAuthenticationSettings? { get set }
    /// More header fields for each request; their values may be secrets.
    var headers: [HeaderSettings] { get set }
    /// The source of a token that expires, instead of ``token``.
    var auth: TokenSettings { get set }
}

/// A user with a password.
package struct BasicAuthenticationSettings: Sendable, Hashable {
    package var user: String
    package var password: SecretReference
}

/// A header field.
package struct HeaderSettings: Sendable, Hashable {
    package var name: String
    package var value: SecretReference
}

extension AuthenticationSettings {
    /// Placeholders that satisfy the rules for secrets, for all configured secrets.
    var standIns: RequestCredentials {
        let secret = Secret("x")
        var credentials = RequestCredentials()
        if token != nil || auth.isOn { credentials.token = secret }
        credentials.basicAuthentication = basicAuth.map { .init(user: $0.user, password: secret) }
        credentials.headers = headers.map { HeaderField(name: $0.name, value: $0.value.text ?? secret) }
        return credentials
    }

    /// Reads the secrets for the first time.
    func credentials(_ context: PluginContext) throws(ConfigurationError) -> RequestCredentials {
        var credentials = RequestCredentials()
        if let token { credentials.token = try context.secret("token", token) }
        if let basicAuth {
            credentials.basicAuthentication = .init(
                user: basicAuth.user, password: try context.secret("basicAuth.password", basicAuth.password))
        }
        for header in headers {
            let value = try context.secret("headers.\(header.name)", header.value)
            credentials.headers.append(HeaderField(name: header.name, value: value))
        }
        return credentials
    }

    /// The same credentials with the current secrets.
    func renew(_ credentials: RequestCredentials, _ context: PluginContext) async -> RequestCredentials {
        var renewed = credentials
        if token != nil { renewed.token = await context.currentSecret("token") ?? renewed.token }
        if let basic = renewed.basicAuthentication {
            renewed.basicAuthentication?.password = await context.currentSecret("basicAuth.password") ?? basic.password
        }
        for index in renewed.headers.indices {
            let field = renewed.headers[index]
            let value = await context.currentSecret("headers.\(field.name)") ?? field.value
            renewed.headers[index] = HeaderField(name: field.name, value: value)
        }
        return renewed
    }

    /// A problem with credentials under the keys of the settings, with the remedy that the settings offer.
    func inWordsOfSettings(_ problem: ConfigurationProblem) -> ConfigurationProblem { inWordsOfCredentials(problem) }

    /// The same for sinks that have their own wording in addition.
    func inWordsOfCredentials(_ problem: ConfigurationProblem) -> ConfigurationProblem {
        switch problem.key {
        case "basicAuthentication" where token != nil:
            ConfigurationProblem(
                key: "basicAuth", value: "***",
                expectation: "either token or basicAuth, both set the Authorization header")
        case "basicAuthentication":
            ConfigurationProblem(key: "basicAuth", value: "***", expectation: problem.expectation)
        case let key where key.lowercased() == "headers.authorization":
            ConfigurationProblem(
                key: "headers", value: "{Authorization: ***}", expectation: "no Authorization with token or basicAuth"
            )
        case _: inWordsOfSharedSettings(problem)
        }
    }
}

extension SecretReference {
    /// The literal text in the configuration; `nil` if the secret has to be fetched.
    fileprivate var text: Secret? { if case .literal(let text) = self { text } else { nil } }
}
