import HTTPDelivery
import OwnTracksFormat
public import TrackEngine
import TrackEngineSettings

/// Delivers records over HTTP as OwnTracks' apps do, one location a request, and takes the places of friends from the replies.
///
/// The records of a batch go oldest first over one connection, each when the one before was confirmed, and a reply with a
/// status from 200 to 299 confirms a record. When one fails, those before it are settled. What a reply says beside that is
/// told to the agent; one that cannot be read is no failure, because the receiver has the record.
///
/// ```swift
/// var configuration = OwnTracksSink.Configuration(url: "https://recorder.example.org/pub", user: "jane", deviceID: "van-7")
/// configuration.secret = Secret("…")
/// let sink = try OwnTracksSink(id: "home", configuration: configuration)
/// ```
public final class OwnTracksSink: ReportsProgress {
    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID
    /// What OwnTracks' apps know: positions, places entered and left, signs of life.
    public let kinds: RecordKinds = [.location, .transition, .heartbeat]

    let configuration: Configuration
    let message: LocationEncoder
    let inbox: ReplyInbox
    let clock: any Clock<Duration>
    private let endpoint: Endpoint
    private let exchange: HTTPExchange
    private let headers: RequestHeaderSource
    private let now: @Sendable () -> Timestamp

    /// Makes a sink; the files that the configuration names are read here.
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - configuration: where records go, as whom, and in which form.
    ///   - credentials: is asked for each request, as by ``OverlandSink``. Default: what the configuration says, for good.
    ///   - tokens: where the bearer token comes from, if it expires; it takes the place of `credentials.token`.
    ///   - clock: times each exchange and command.
    ///   - now: the wall clock, against which a `Retry-After` date is taken.
    /// - Throws: everything that is wrong with the configuration; nothing has been started then.
    public init(
        id: SinkID = "owntracks", configuration: Configuration,
        credentials: CredentialsProvider? = nil, tokens: AccessTokens? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let destination = try Destination(of: id, configuration.tls.files) { $0.rules(of: configuration) }
        self.id = id
        self.configuration = configuration
        endpoint = destination.endpoint
        message = try LocationEncoder(configuration)
        exchange = HTTPExchange(method: HTTPMethod.post.rawValue, tls: destination.tls)
        headers = RequestHeaderSource(configuration.credentials, to: destination.endpoint, credentials, tokens)
        inbox = ReplyInbox(of: configuration, source: SourceID(rawValue: id.rawValue), now: now)
        self.clock = clock
        self.now = now
    }

    /// Sends the batch's records one after the other, up to the first that the receiver does not confirm.
    ///
    /// Records without a valid position or from before 1970 are not sent and named in ``/TrackEngine/Receipt/refused``. Nor is
    /// ``/TrackEngine/RecordBatch/current``: the receiver would keep it.
    public func deliver(
        _ batch: RecordBatch, reporting progress: DeliveryProgressReport
    ) async throws(DeliveryError) -> Receipt {
        try await batch.deliverEach(
            reporting: progress, refusal: \.problemForReceivers,
            send: { record throws(DeliveryError) in try await post(message.body(of: record)) })
    }

    /// Sends a message and takes the reply to it.
    func post(_ body: [UInt8], takesCommands: Bool = true) async throws(DeliveryError) {
        let (reply, fields) = try await headers.request { fields throws(DeliveryError) in
            try await exchange.send(
                body, headers: fields.fields + message.headers, to: endpoint, within: configuration.httpTimeout,
                clock: clock)
        }
        let verdict = ReplyVerdict.of(
            reply, endpoint: endpoint, now: now(), hiding: fields.secrets, success: ReplyVerdict.unlessPage)
        try verdict.get()
        inbox.take(reply, secret: message.secret, takesCommands: takesCommands)
    }

    /// The bytes that a delivery of a record sends, for tools that count or show them; nothing is sent. With a secret they are
    /// others each time.
    public func body(for record: TrackRecord) -> [UInt8] { message.body(of: record) }

    /// Ends the connection and the thread behind it.
    public func close() async {
        await exchange.close()
        await headers.close()
    }
}
