public import TrackEngine
import TrackEngineSettings

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
    /// The fields of a request, and the texts in them that nobody must be shown.
    struct Fields: Sendable {
        let fields: [(name: String, value: String)]
        let secrets: [String]
    }

    private let fixed: Fields
    private let endpoint: Endpoint
    private let provider: OverlandSink.CredentialsProvider?

    init(
        _ validated: ValidatedConfiguration, _ configuration: OverlandSink.Configuration,
        _ provider: OverlandSink.CredentialsProvider?
    ) {
        self.configuration = configuration
        fixed = Fields(fields: validated.headers, secrets: validated.secrets)
        endpoint = validated.endpoint
        self.provider = provider
    }

    /// The fields of the next request.
    ///
    /// - Throws: a pause when the credentials cannot be had or used: a person has to put them right.
    func fields() async throws(DeliveryError) -> Fields {
        guard let provider else { return fixed }
        do {
            let credentials = try await provider()
            var renewed = configuration
            renewed.token = credentials.token
            renewed.basicAuthentication = credentials.basicAuthentication
            renewed.headers = credentials.headers
            return Fields(
                fields: try ValidatedConfiguration.headers(of: renewed),
                secrets: ValidatedConfiguration.secrets(of: renewed, endpoint) + fixed.secrets)
        } catch let error as ConfigurationError {
            throw DeliveryError(.pause, "credentials: \(error)")
        } catch {
            throw Task.isCancelled
                ? DeliveryError(.retry(), "cancelled") : DeliveryError(.pause, "credentials: \(error)")
        }
    }
}
