import TrackEngine
import TrackEngineSettings

/// The source of the header fields of requests.
struct RequestHeaderSource: Sendable {
    /// The fields of a request, and the secrets in them, which must not be shown.
    struct Fields: Sendable {
        let fields: [(name: String, value: String)]
        /// The configured ones among the fields, which come last.
        let configured: [(name: String, value: String)]
        let secrets: [String]
        /// An addition to the query of the address: a token that is not sent in a field.
        let query: String?
        /// The access token in the fields, if it can be renewed.
        var token: Secret?
    }

    private let style: RequestHeaderList.Style
    private let fixed: Fields
    private let endpoint: Endpoint
    private let provider: CredentialsProvider?
    private let credentials: RequestCredentials
    private let tokens: AccessTokenCache?

    /// - Parameters:
    ///   - credentials: The validated credentials of the requests.
    ///   - style: The other fields of the requests.
    ///   - endpoint: The endpoint of the requests; possible secrets in its address are hidden, too.
    ///   - provider: Fetches credentials for each request, instead of `credentials`.
    ///   - tokens: The source of the token, if it expires.
    init(
        _ credentials: RequestCredentials, _ style: RequestHeaderList.Style = .json, to endpoint: Endpoint,
        _ provider: CredentialsProvider?, _ tokens: AccessTokenCache? = nil
    ) {
        self.credentials = credentials
        self.tokens = tokens
        self.style = style
        self.endpoint = endpoint
        self.provider = provider
        let query = Self.query(of: credentials, style)
        fixed = Fields(
            fields: RequestHeaderList.fields(of: credentials, style), configured: credentials.headers.pairs,
            secrets: (credentials.secrets + Self.shown(query) + endpoint.secrets).hidingOrder, query: query)
    }

    private static func query(of credentials: RequestCredentials, _ style: RequestHeaderList.Style) -> String? {
        guard let name = style.tokenParameter, let token = credentials.token else { return nil }
        return "\(name)=\(PercentEncoding.encoded(token.revealed))"
    }

    /// A token in the form that it has in the address, for a receiver that repeats the address.
    private static func shown(_ query: String?) -> [String] {
        query.flatMap { $0.split(separator: "=", maxSplits: 1).last.map(String.init) }.map { [$0] } ?? []
    }

    /// The fields of the next request.
    ///
    /// - Throws: A pause if the credentials cannot be fetched or used, because a person has to correct them. A
    ///   ``DeliveryError`` of the provider is thrown unchanged.
    func fields() async throws(DeliveryError) -> Fields {
        guard provider != nil || tokens != nil else { return fixed }
        do {
            var credentials = try await provider?() ?? credentials
            let token = try await tokens?.token()
            credentials.token = token ?? credentials.token
            var check = ConfigurationCheck()
            check.rules(of: credentials)
            try check.finish()
            let query = Self.query(of: credentials, style)
            return Fields(
                fields: RequestHeaderList.fields(of: credentials, style), configured: credentials.headers.pairs,
                secrets: (credentials.secrets + Self.shown(query) + fixed.secrets).hidingOrder, query: query,
                token: token)
        } catch let error as DeliveryError {
            throw error
        } catch let error as ConfigurationError {
            throw DeliveryError(.needsOperator, "credentials: \(error)")
        } catch {
            throw Task.isCancelled
                ? DeliveryError(.retry(), "cancelled") : DeliveryError(.needsOperator, "credentials: \(error)")
        }
    }

    /// Sends a request with the current fields. If the receiver rejects the access token, sends it once more with a
    /// new one.
    func request(
        _ send: (Fields) async throws(DeliveryError) -> Reply
    ) async throws(DeliveryError) -> (reply: Reply, fields: Fields) {
        let fields = try await fields()
        let reply = try await send(fields)
        guard reply.status == 401, let tokens, let token = fields.token else { return (reply, fields) }
        await tokens.refuse(token)
        let renewed = try await self.fields()
        return (try await send(renewed), renewed)
    }

    /// Closes the connection to the token server.
    func close() async { await tokens?.close() }
}
