import OwnTracksFormat
public import TrackEngine
import TrackEngineSettings

/// Delivers records over HTTP as OwnTracks' apps do, one location per request, and reads the places of friends from
/// replies.
///
/// The records of a batch are sent oldest first over one connection, each after the confirmation of the previous
/// one. A reply with a status from 200 to 299 confirms a record. If one fails, those before it are settled. The
/// other content of a reply is passed to the agent. An unreadable reply is not a failure, because the receiver has
/// the record.
///
/// ```swift
/// var configuration = OwnTracksSink.Configuration(
///     url: "https://recorder.example.org/pub", user: "jane", deviceID: "van-7")
/// configuration.secret = Secret("…")
/// let sink = try OwnTracksSink(id: "home", configuration: configuration)
/// ```
public final class OwnTracksSink: ProgressReporting {
    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID
    /// The records that OwnTracks' apps have: positions, transitions at places and heartbeats.
    public let kinds: RecordKinds = [.location, .transition, .heartbeat]

    let configuration: Configuration
    let message: LocationEncoder
    let inbox: ReplyInbox
    let clock: any Clock<Duration>
    private let endpoint: Endpoint
    private let exchange: DeliveryClient
    private let headers: RequestHeaderSource
    private let now: @Sendable () -> Timestamp

    /// Creates a sink and reads the files that the configuration names.
    ///
    /// - Parameters:
    ///   - id: The sink's name.
    ///   - configuration: The receiver, the user and the form of the records.
    ///   - credentials: Fetches the credentials for each request, as in ``OverlandSink``. Default: the configuration's
    ///     credentials, which do not change.
    ///   - tokens: The source of the bearer token, if it expires; it replaces `credentials.token`.
    ///   - clock: The clock that times each exchange and command.
    ///   - now: The wall clock, with which a `Retry-After` date is compared.
    /// - Throws: All problems of the configuration. No connection or task has been started then.
    public init(
        id: SinkID = "owntracks", configuration: Configuration,
        credentials: CredentialsProvider? = nil, tokens: AccessTokenCache? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let destination = try SinkEndpoint(of: id, configuration.tls.files) { $0.rules(of: configuration) }
        self.id = id
        self.configuration = configuration
        endpoint = destination.endpoint
        message = try LocationEncoder(configuration)
        exchange = DeliveryClient(method: HTTPMethod.post.rawValue, tls: destination.tls)
        headers = RequestHeaderSource(configuration.credentials, to: destination.endpoint, credentials, tokens)
        inbox = ReplyInbox(of: configuration, source: SourceID(rawValue: id.rawValue), now: now)
        self.clock = clock
        self.now = now
    }

    /// Sends the batch's records one after the other, up to the first that the receiver does not confirm.
    ///
    /// Records without a valid position or from before 1970 are not sent but reported in
    /// ``/TrackEngine/Receipt/refused``. ``/TrackEngine/RecordBatch/current`` is not sent either, because the
    /// receiver would keep it.
    public func deliver(
        _ batch: RecordBatch, reporting progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryError) -> Receipt {
        try await batch.deliverEach(
            reporting: progress, refusal: \.problemForReceivers,
            send: { record throws(DeliveryError) in try await post(message.body(of: record)) })
    }

    /// Sends a message and processes the reply.
    func post(_ body: [UInt8], takesCommands: Bool = true) async throws(DeliveryError) {
        let (reply, fields) = try await headers.request { fields throws(DeliveryError) in
            try await exchange.send(
                body, headers: fields.fields + message.headers, to: endpoint, within: configuration.httpTimeout,
                clock: clock)
        }
        let verdict = ReplyOutcome.of(
            reply, endpoint: endpoint, now: now(), hiding: fields.secrets, success: ReplyOutcome.unlessPage)
        try verdict.get()
        inbox.take(reply, secret: message.secret, takesCommands: takesCommands)
    }

    /// The bytes that a delivery of a record would send, for programs that count or show them. Does not send them.
    /// With a secret they differ each time.
    public func body(for record: TrackRecord) -> [UInt8] { message.body(of: record) }

    /// Closes the connection and ends its thread.
    public func close() async {
        await exchange.close()
        await headers.close()
    }
}
