public import TrackEngine
import TrackEngineSettings

/// Delivers records over HTTP in requests that a template describes.
///
/// With a template for one record, the records of a batch are sent oldest first, each after the confirmation of the
/// previous one; if one fails, those before it are settled. With a template for a batch they are sent in one
/// request. The sink keeps no records and only interprets replies: the delivery waits, halves batches and searches for
/// a bad record.
///
/// ```swift
/// var configuration = HTTPSink.Configuration(url: "https://example.org/in?device=%{device}", deviceID: "van-7")
/// configuration.body = #"{"lat": %{latitude}, "lon": %{longitude}, "kmh": %{speed:km/h}, "at": "%{time}"}"#
/// let sink = try HTTPSink(id: "own", configuration: configuration)
/// ```
public final class HTTPSink: ProgressReporting {
    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID

    /// The kinds of records that the configuration names.
    public let kinds: RecordKinds

    private let places: Set<String>
    private let template: RequestTemplate
    private let success: Configuration.SuccessRule
    private let httpTimeout: Duration
    private let exchange: DeliveryClient
    private let headers: RequestHeaderSource
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp

    /// Creates a sink and reads the files that the configuration names.
    ///
    /// - Parameters:
    ///   - id: The sink's name.
    ///   - configuration: The receiver and the form of the records.
    ///   - credentials: Fetches the credentials for each request; they replace the configuration's token, password and
    ///     header fields. A corrected secret thus takes effect at once. Default: the configuration's credentials,
    ///     which do not change.
    ///   - tokens: The source of the bearer token, if it expires; it replaces `credentials.token`.
    ///   - clock: The clock that times each exchange.
    ///   - now: The wall clock, with which a `Retry-After` date is compared.
    /// - Throws: All problems of the configuration. No connection or task has been started then.
    public init(
        id: SinkID = "http", configuration: Configuration, credentials: CredentialsProvider? = nil,
        tokens: AccessTokenCache? = nil, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        var template: RequestTemplate?
        let destination = try SinkEndpoint(of: id, configuration.tls.files) { check in
            template = check.rules(of: configuration)
            return template?.address.endpoint
        }
        guard let template else { throw ConfigurationError(problems: []) }  // unreachable: its absence is a problem
        self.id = id
        kinds = configuration.kinds
        places = configuration.places
        self.template = template
        success = configuration.success ?? configuration.preset?.parts.success ?? Configuration.SuccessRule()
        httpTimeout = configuration.httpTimeout
        exchange = DeliveryClient(method: template.method.rawValue, tls: destination.tls)
        headers = RequestHeaderSource(
            configuration.credentials, template.style, to: template.address.endpoint, credentials, tokens)
        self.clock = clock
        self.now = now
    }

    /// Whether a record is sent: transitions, visits and trips only at the selected places, if there are any.
    public func carries(_ record: TrackRecord) -> Bool {
        guard kinds.contains(record.kind) else { return false }
        switch record.content {
        case .transition, .visit, .trip:
            return places.isEmpty || record.content.place.map { places.contains($0.id) } ?? false
        case .location, .action, .heartbeat, .power: return true
        }
    }

    /// Sends the batch's records one after the other, up to the first that is not confirmed, or all in one request.
    ///
    /// Records without a valid position, and those with an address that would be too long, are not sent but reported
    /// in ``/TrackEngine/Receipt/refused``. ``/TrackEngine/RecordBatch/current`` is not sent either, because the
    /// receiver would keep it.
    public func deliver(
        _ batch: RecordBatch, reporting progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryError) -> Receipt {
        template.isBatch ? try await deliverTogether(batch) : try await deliverSingly(batch, progress)
    }

    private func deliverTogether(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let records = batch.records.filter(\.hasPosition)
        if !records.isEmpty {
            guard let request = template.request(for: records) else {
                throw DeliveryError(.needsOperator, Self.longAddress)
            }
            try await send(request)
        }
        let refused = batch.records.lazy.filter { !$0.hasPosition }.map { ($0.id, TrackRecord.lackOfPosition) }
        return Receipt(settled: batch.records.count, refused: Dictionary(refused) { first, _ in first })
    }

    private func deliverSingly(
        _ batch: RecordBatch, _ progress: (Int) -> Void
    ) async throws(DeliveryError) -> Receipt {
        try await batch.deliverEach(
            reporting: progress,
            preparing: { record in
                guard record.hasPosition else { return .failure(RecordError(TrackRecord.lackOfPosition)) }
                return template.request(for: record).map { .success($0) }
                    ?? .failure(RecordError(Self.longAddress))
            }, send: send)
    }

    private static let longAddress = "the address of the request would be over \(Endpoint.maximumLength) bytes"

    private func send(_ request: RequestTemplate.Request) async throws(DeliveryError) {
        let (reply, headers) = try await headers.request { fields throws(DeliveryError) in
            try await exchange.send(
                request.body, headers: template.headers(fields, of: request), to: request.endpoint,
                within: httpTimeout, clock: clock)
        }
        let verdict = ReplyOutcome.of(
            reply, endpoint: request.endpoint, now: now(),
            hiding: (headers.secrets + template.secrets(headers, of: request) + request.endpoint.secrets).hidingOrder,
            success: success.verdict)
        try verdict.get()
    }

    /// Closes the connection and ends its thread.
    public func close() async {
        await exchange.close()
        await headers.close()
    }
}
