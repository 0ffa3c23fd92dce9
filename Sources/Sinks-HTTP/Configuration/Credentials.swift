public import TrackEngine

extension OverlandSink {
    /// The secrets of a request, for sinks that ask for them again with each delivery.
    public struct Credentials: Sendable, Hashable {
        /// As ``Configuration/token``.
        public var token: Secret?
        /// As ``Configuration/basicAuthentication``.
        public var basicAuthentication: Configuration.BasicAuthentication?
        /// As ``Configuration/headers``.
        public var headers: [HeaderField]

        /// Credentials; none by default.
        public init(
            token: Secret? = nil, basicAuthentication: Configuration.BasicAuthentication? = nil,
            headers: [HeaderField] = []
        ) {
            self.token = token
            self.basicAuthentication = basicAuthentication
            self.headers = headers
        }
    }

    /// Fetches the credentials as they are now. It must not block; an error that is a `CustomStringConvertible` is shown
    /// and logged, and must hold no secret.
    public typealias CredentialsProvider = @Sendable () async throws -> Credentials
}

/// Where the header fields of a request come from.
struct RequestHeaderSource: Sendable {
    private let configuration: OverlandSink.Configuration
    private let fixed: [(name: String, value: String)]
    private let provider: OverlandSink.CredentialsProvider?

    init(
        _ validated: ValidatedConfiguration, _ configuration: OverlandSink.Configuration,
        _ provider: OverlandSink.CredentialsProvider?
    ) {
        self.configuration = configuration
        fixed = validated.headers
        self.provider = provider
    }

    /// The fields of the next request.
    ///
    /// - Throws: a pause when the credentials cannot be had or used: a person has to put them right.
    func fields() async throws(DeliveryError) -> [(name: String, value: String)] {
        guard let provider else { return fixed }
        do {
            let credentials = try await provider()
            var renewed = configuration
            renewed.token = credentials.token
            renewed.basicAuthentication = credentials.basicAuthentication
            renewed.headers = credentials.headers
            return try ValidatedConfiguration.headers(of: renewed)
        } catch let error as ConfigurationError {
            throw DeliveryError(.pause, "credentials: \(error)")
        } catch {
            throw Task.isCancelled
                ? DeliveryError(.retry(), "cancelled") : DeliveryError(.pause, "credentials: \(error)")
        }
    }
}
