public import TrackEngine
import TrackEngineSettings

/// Delivers records to a Traccar server by the OsmAnd protocol, one position per request.
///
/// The records of a batch are sent oldest first over one connection, each after the confirmation of the previous
/// one. A reply with a status from 200 to 299 confirms a record. If one fails, those before it are settled. The sink
/// keeps no records and only interprets replies: the delivery waits and retries.
///
/// ```swift
/// let configuration = OsmAndSink.Configuration(url: "https://traccar.example.org:5055", deviceID: "van-7")
/// let sink = try OsmAndSink(id: "fleet", configuration: configuration)
/// ```
public final class OsmAndSink: ProgressReporting {
    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID
    /// Positions, and transitions at places if the configuration enables them.
    public let kinds: RecordKinds

    private let configuration: Configuration
    private let endpoint: Endpoint
    private let encoder: OsmAndEncoder
    private let exchange: DeliveryClient
    private let headers: RequestHeaderSource
    /// Whether the server has accepted a record of the device.
    private let isKnown = SystemMutex(false)
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp

    /// Creates a sink and reads the files that the configuration names.
    ///
    /// - Parameters:
    ///   - id: The sink's name.
    ///   - configuration: The receiver and the form of the records.
    ///   - credentials: Fetches the credentials for each request, as in ``OverlandSink``. Default: the configuration's
    ///     credentials, which do not change.
    ///   - tokens: The source of the bearer token, if it expires; it replaces `credentials.token`.
    ///   - clock: The clock that times each exchange.
    ///   - now: The wall clock, with which a `Retry-After` date is compared.
    /// - Throws: All problems of the configuration. No connection or task has been started then.
    public init(
        id: SinkID = "osmand", configuration: Configuration, credentials: CredentialsProvider? = nil,
        tokens: AccessTokenCache? = nil, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let destination = try SinkEndpoint(of: id, configuration.tls.files) { $0.rules(of: configuration) }
        self.id = id
        kinds = configuration.tellsTransitions ? [.location, .transition] : .location
        self.configuration = configuration
        endpoint = destination.endpoint
        encoder = OsmAndEncoder(configuration, endpoint: destination.endpoint)
        exchange = DeliveryClient(method: HTTPMethod.post.rawValue, tls: destination.tls)
        headers = RequestHeaderSource(
            configuration.credentials, encoder.style, to: destination.endpoint, credentials, tokens)
        self.clock = clock
        self.now = now
    }

    /// Sends the batch's records one after the other, up to the first that the server does not confirm.
    ///
    /// Records that Traccar cannot keep, without a valid position or from before 1970, are not sent but reported in
    /// ``/TrackEngine/Receipt/refused``. ``/TrackEngine/RecordBatch/current`` is not sent either, because Traccar
    /// would keep it.
    public func deliver(
        _ batch: RecordBatch, reporting progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryError) -> Receipt {
        try await batch.deliverEach(
            reporting: progress, refusal: \.problemForReceivers,
            send: { record throws(DeliveryError) in try await send(record) })
    }

    private func send(_ record: TrackRecord) async throws(DeliveryError) {
        let request = encoder.request(for: record)
        let (reply, headers) = try await headers.request { fields throws(DeliveryError) in
            try await exchange.send(
                request.body, headers: fields.fields, to: request.endpoint, within: configuration.httpTimeout,
                clock: clock)
        }
        let verdict = ReplyOutcome.of(
            reply, endpoint: endpoint, now: now(), hiding: headers.secrets, clientError: unknownDevice,
            success: ReplyOutcome.unlessPage)
        try verdict.get()
        isKnown.withLock { $0 = true }
    }

    /// Recognizes Traccar's reply about an unknown device: 400 to parameters, 404 to JSON, and 400 from a release
    /// that does not know JSON and reads it as parameters. No record is the cause then. Once the server has accepted
    /// a record of the device, a record may be the cause.
    private func unknownDevice(_ reply: Reply) -> ReplyOutcome? {
        if isKnown.withLock({ $0 }) { return nil }
        return switch (reply.status, configuration.format) {
        case (400, _), (404, .json):
            .failed(
                .needsOperator,
                "HTTP \(reply.status): the server does not know the device '\(configuration.deviceID)'; add it there")
        case _: nil
        }
    }

    /// Closes the connection and ends its thread.
    public func close() async {
        await exchange.close()
        await headers.close()
    }
}
