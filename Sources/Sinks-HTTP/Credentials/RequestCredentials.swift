public import TrackEngine
import TrackEngineSettings

/// The secrets of a request. Sinks fetch them again for each delivery.
public struct RequestCredentials: Sendable, Hashable {
    /// The bearer token, sent as `Authorization: Bearer …`; without a token that field is not sent. Default none.
    public var token: Secret?
    /// User and password, sent as `Authorization: Basic …`; not together with ``token``. Default none.
    public var basicAuthentication: BasicAuthentication?
    /// Additional header fields of every request, at most 32. Default none.
    public var headers: [HeaderField]

    /// Credentials; none by default.
    public init(
        token: Secret? = nil, basicAuthentication: BasicAuthentication? = nil, headers: [HeaderField] = []
    ) {
        self.token = token
        self.basicAuthentication = basicAuthentication
        self.headers = headers
    }
}

/// A user and a password (RFC 7617).
public struct BasicAuthentication: Sendable, Hashable {
    /// The user: 1 to 256 bytes without a colon or control characters.
    public var user: String
    /// The password: at most 4096 bytes without control characters.
    public var password: Secret

    /// A user and a password.
    public init(user: String, password: Secret) {
        self.user = user
        self.password = password
    }
}

/// Fetches the current credentials. It must not block. An error that is a `CustomStringConvertible` is shown and
/// logged, and must not contain a secret.
public typealias CredentialsProvider = @Sendable () async throws -> RequestCredentials

extension OverlandSink {
    /// The secrets of a request.
    public typealias Credentials = RequestCredentials
    /// Fetches the current credentials.
    public typealias CredentialsProvider = TrackEngineHTTP.CredentialsProvider
}

extension RequestCredentials {
    /// Texts that must not be shown if a receiver repeats them.
    var secrets: [String] {
        var secrets = headers.map(\.value.revealed)
        if let token { secrets.append(token.revealed) }
        if let basicAuthentication {
            let (user, password) = (basicAuthentication.user, basicAuthentication.password.revealed)
            secrets += [password, Base64.encoded("\(user):\(password)".utf8)]
        }
        return secrets
    }
}

extension ConfigurationCheck {
    /// Reports the problems of a sink's credentials.
    mutating func rules(of credentials: RequestCredentials) {
        if let token = credentials.token {
            let isVisible = token.revealed.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
            if token.revealed.isEmpty || token.revealed.utf8.count > 8192 || !isVisible {
                problem("token", "\(token)", "1 to 8192 printable ASCII characters without blanks")
            }
        }
        if let basic = credentials.basicAuthentication {
            if !TextRule.user.isSatisfied(by: basic.user) {
                problem("basicAuthentication", "***", "a user of \(TextRule.user.expectation)")
            }
            let password = basic.password.revealed.utf8
            if password.count > 4096 || password.contains(where: { $0 < 0x20 }) {
                problem("basicAuthentication", "***", "a password of at most 4096 bytes without control characters")
            }
            if credentials.token != nil {
                problem("basicAuthentication", "***", "either this or token: both set Authorization")
            }
        }
        headers(of: credentials)
    }

    private mutating func headers(of credentials: RequestCredentials) {
        let limit = HeaderField.maximumCount
        if credentials.headers.count > limit {
            problem("headers", "\(credentials.headers.count)", "at most \(limit)")
        }
        let names = HeaderField.problems(ofNames: credentials.headers.map(\.name))
        let hasOwn = credentials.token != nil || credentials.basicAuthentication != nil
        for (field, expectation) in zip(credentials.headers, names).prefix(limit) {
            let key = "headers.\(field.name.filter { $0.isASCII && $0 > " " }.prefix(40))"
            if let expectation { problem(key, "\(field.value)", expectation) }
            if !field.hasValidValue { problem(key, "\(field.value)", "one line of at most 8192 bytes") }
            if field.name.lowercased() == "authorization", hasOwn {
                problem(key, "\(field.value)", "either this or token or basicAuthentication: all set Authorization")
            }
        }
    }
}
