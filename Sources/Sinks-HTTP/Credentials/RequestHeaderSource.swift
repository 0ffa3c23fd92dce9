import HTTPDelivery
import TrackEngine
import TrackEngineSettings

/// Where the header fields of a request come from.
struct RequestHeaderSource: Sendable {
    /// The fields of a request, and the texts in them that nobody must be shown.
    struct Fields: Sendable {
        let fields: [(name: String, value: String)]
        let secrets: [String]
    }

    private let style: RequestHeaders.Style
    private let fixed: Fields
    private let endpoint: Endpoint
    private let provider: CredentialsProvider?

    /// - Parameters:
    ///   - credentials: what the requests carry, looked at before.
    ///   - style: what else the requests say about themselves.
    ///   - endpoint: where they go; what may be secret in its address is hidden, too.
    ///   - provider: is asked for each request, in place of `credentials`.
    init(
        _ credentials: RequestCredentials, _ style: RequestHeaders.Style = .json, to endpoint: Endpoint,
        _ provider: CredentialsProvider?
    ) {
        self.style = style
        self.endpoint = endpoint
        self.provider = provider
        fixed = Fields(
            fields: RequestHeaders.fields(of: credentials, style),
            secrets: (credentials.secrets + endpoint.secrets).hidingOrder)
    }

    /// The fields of the next request.
    ///
    /// - Throws: a pause when the credentials cannot be had or used: a person has to put them right. A provider that throws
    ///   a ``DeliveryError`` says itself what is to be done.
    func fields() async throws(DeliveryError) -> Fields {
        guard let provider else { return fixed }
        do {
            let credentials = try await provider()
            var check = ConfigurationCheck()
            check.rules(of: credentials)
            try check.finish()
            return Fields(
                fields: RequestHeaders.fields(of: credentials, style),
                secrets: (credentials.secrets + fixed.secrets).hidingOrder)
        } catch let error as DeliveryError {
            throw error
        } catch let error as ConfigurationError {
            throw DeliveryError(.pause, "credentials: \(error)")
        } catch {
            throw Task.isCancelled
                ? DeliveryError(.retry(), "cancelled") : DeliveryError(.pause, "credentials: \(error)")
        }
    }
}
