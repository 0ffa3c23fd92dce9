import HTTPDelivery
public import TrackEngine
import TrackEngineSettings

/// Delivers records to a Traccar server by its protocol OsmAnd, one position a request.
///
/// The records of a batch go oldest first over one connection, each when the one before was confirmed, and a reply with a
/// status from 200 to 299 confirms a record. When one fails, those before it are settled. The sink keeps nothing and decides
/// nothing beyond what a reply means: waiting and trying again are the drain's.
///
/// ```swift
/// let configuration = OsmAndSink.Configuration(url: "https://traccar.example.org:5055", deviceID: "van-7")
/// let sink = try OsmAndSink(id: "fleet", configuration: configuration)
/// ```
public final class OsmAndSink: ReportsProgress {
    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID
    /// Positions, and places entered and left where the configuration says so.
    public let kinds: RecordKinds

    private let configuration: Configuration
    private let endpoint: Endpoint
    private let encoder: OsmAndEncoder
    private let exchange: HTTPExchange
    private let headers: RequestHeaderSource
    /// Whether the server has taken a record of the device.
    private let isKnown = PthreadMutex(false)
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp

    /// Makes a sink; the files that the configuration names are read here.
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - configuration: where records go, and in which form.
    ///   - credentials: is asked for each request, as by ``OverlandSink``. Default: what the configuration says, for good.
    ///   - tokens: where the bearer token comes from, if it expires; it takes the place of `credentials.token`.
    ///   - clock: times each exchange.
    ///   - now: the wall clock, against which a `Retry-After` date is taken.
    /// - Throws: everything that is wrong with the configuration; nothing has been started then.
    public init(
        id: SinkID = "osmand", configuration: Configuration, credentials: CredentialsProvider? = nil,
        tokens: AccessTokens? = nil, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let destination = try Destination(of: id, configuration.tls.files) { $0.rules(of: configuration) }
        self.id = id
        kinds = configuration.tellsTransitions ? [.location, .transition] : .location
        self.configuration = configuration
        endpoint = destination.endpoint
        encoder = OsmAndEncoder(configuration, endpoint: destination.endpoint)
        exchange = HTTPExchange(method: HTTPMethod.post.rawValue, tls: destination.tls)
        headers = RequestHeaderSource(
            configuration.credentials, encoder.style, to: destination.endpoint, credentials, tokens)
        self.clock = clock
        self.now = now
    }

    /// Sends the batch's records one after the other, up to the first that the server does not confirm.
    ///
    /// Records that Traccar cannot keep, without a valid position or from before 1970, are not sent and named in
    /// ``/TrackEngine/Receipt/refused``. Nor is ``/TrackEngine/RecordBatch/current``: Traccar would keep it.
    public func deliver(
        _ batch: RecordBatch, reporting progress: DeliveryProgressReport
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
        let verdict = ReplyVerdict.of(
            reply, endpoint: endpoint, now: now(), hiding: headers.secrets, clientError: unknownDevice,
            success: ReplyVerdict.unlessPage)
        try verdict.get()
        isKnown.withLock { $0 = true }
    }

    /// What Traccar says of a device that nobody has added: 400 to parameters, 404 to JSON, and 400 where a release without
    /// that form takes the JSON for parameters. No record is to blame then; once it has taken one of the device, one may be.
    private func unknownDevice(_ reply: Reply) -> ReplyVerdict? {
        if isKnown.withLock({ $0 }) { return nil }
        return switch (reply.status, configuration.format) {
        case (400, _), (404, .json):
            .failed(
                .pause,
                "HTTP \(reply.status): the server does not know the device '\(configuration.deviceID)'; add it there")
        case _: nil
        }
    }

    /// Ends the connection and the thread behind it.
    public func close() async {
        await exchange.close()
        await headers.close()
    }
}
