import HTTPDelivery
import TrackEngine
import TrackEngineSettings

/// Where the header fields of a request come from.
struct RequestHeaderSource: Sendable {
    /// The fields of a request, and the texts in them that nobody must be shown.
    struct Fields: Sendable {
        let fields: [(name: String, value: String)]
        /// The configured ones among them, which come last.
        let configured: [(name: String, value: String)]
        let secrets: [String]
        /// What is added to the query of the address: a token that does not go into a field.
        let query: String?
        /// The access token among them, if it can be renewed.
        var token: Secret?
    }

    private let style: RequestHeaders.Style
    private let fixed: Fields
    private let endpoint: Endpoint
    private let provider: CredentialsProvider?
    private let credentials: RequestCredentials
    private let tokens: AccessTokens?

    /// - Parameters:
    ///   - credentials: what the requests carry, looked at before.
    ///   - style: what else the requests say about themselves.
    ///   - endpoint: where they go; what may be secret in its address is hidden, too.
    ///   - provider: is asked for each request, in place of `credentials`.
    ///   - tokens: where the token comes from, if it expires.
    init(
        _ credentials: RequestCredentials, _ style: RequestHeaders.Style = .json, to endpoint: Endpoint,
        _ provider: CredentialsProvider?, _ tokens: AccessTokens? = nil
    ) {
        self.credentials = credentials
        self.tokens = tokens
        self.style = style
        self.endpoint = endpoint
        self.provider = provider
        let query = Self.query(of: credentials, style)
        fixed = Fields(
            fields: RequestHeaders.fields(of: credentials, style), configured: credentials.headers.pairs,
            secrets: (credentials.secrets + Self.shown(query) + endpoint.secrets).hidingOrder, query: query)
    }

    private static func query(of credentials: RequestCredentials, _ style: RequestHeaders.Style) -> String? {
        guard let name = style.tokenParameter, let token = credentials.token else { return nil }
        return "\(name)=\(PercentEncoding.encoded(token.revealed))"
    }

    /// A token in the form in which a receiver that repeats the address would show it.
    private static func shown(_ query: String?) -> [String] {
        query.flatMap { $0.split(separator: "=", maxSplits: 1).last.map(String.init) }.map { [$0] } ?? []
    }

    /// The fields of the next request.
    ///
    /// - Throws: a pause when the credentials cannot be had or used: a person has to put them right. A provider that throws
    ///   a ``DeliveryError`` says itself what is to be done.
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
                fields: RequestHeaders.fields(of: credentials, style), configured: credentials.headers.pairs,
                secrets: (credentials.secrets + Self.shown(query) + fixed.secrets).hidingOrder, query: query,
                token: token)
        } catch let error as DeliveryError {
            throw error
        } catch let error as ConfigurationError {
            throw DeliveryError(.pause, "credentials: \(error)")
        } catch {
            throw Task.isCancelled
                ? DeliveryError(.retry(), "cancelled") : DeliveryError(.pause, "credentials: \(error)")
        }
    }

    /// Makes a request with the fields of this moment; where the receiver does not take an access token, once more with another.
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

    /// Ends what belongs to it.
    func close() async { await tokens?.close() }
}
