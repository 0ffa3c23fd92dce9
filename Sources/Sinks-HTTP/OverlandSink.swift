public import TrackEngine
import TrackEngineSettings

/// Delivers records over HTTP to a receiver of the Overland format, or in the form of Trace or CalmGeo.
///
/// A batch counts as delivered when the reply satisfies the configured ``Configuration/SuccessRule``, by default a
/// 2xx status and a JSON object with `result` "ok". The sink sends each batch once, keeps no records and only
/// interprets replies: the delivery waits, halves batches and searches for a bad record.
///
/// ```swift
/// var configuration = OverlandSink.Configuration(url: "https://example.org/api/input", deviceID: "van-7")
/// configuration.token = Secret("…")
/// let sink = try OverlandSink(id: "home", configuration: configuration)
/// ```
public final class OverlandSink: FixSink {
    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID

    /// Positions, and the events that the configuration names.
    public let kinds: RecordKinds

    private let configuration: OverlandEndpoint
    private let httpTimeout: Duration
    private let maximumBodyLength: Int?
    private let encoder: BodyEncoder
    private let exchange: DeliveryClient
    private let headers: RequestHeaderSource
    /// The settings in replies; `nil` if they are ignored.
    let inbox: RemoteSettingsInbox?
    private let sendsLatestOnly: Bool
    let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp

    /// Creates a sink and reads the files that the configuration names.
    ///
    /// - Parameters:
    ///   - id: The sink's name.
    ///   - configuration: The receiver and the form of the records.
    ///   - credentials: Fetches the credentials for each delivery; they replace the configuration's token, password
    ///     and header fields. A corrected secret thus takes effect at once. Default: the configuration's credentials,
    ///     which do not change.
    ///   - tokens: The source of the bearer token, if it expires; it replaces `credentials.token`.
    ///   - clock: The clock that times the exchange.
    ///   - now: The wall clock, with which a `Retry-After` date is compared.
    /// - Throws: All problems of the configuration. No connection or task has been started then.
    public init(
        id: SinkID = "overland", configuration: Configuration, credentials: CredentialsProvider? = nil,
        tokens: AccessTokenCache? = nil, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let validated = try OverlandEndpoint(configuration, id: id)
        self.configuration = validated
        self.id = id
        let events = configuration.profile == .overland ? configuration.events : []
        kinds = events.intersection([.visit, .trip, .action, .heartbeat]).union(.location)
        httpTimeout = configuration.httpTimeout
        maximumBodyLength = configuration.maximumBodyLength
        inbox = configuration.takesSettings ? RemoteSettingsInbox() : nil
        sendsLatestOnly = configuration.latestOnly
        encoder = BodyEncoder(configuration)
        exchange = DeliveryClient(method: configuration.method.rawValue, tls: validated.tls)
        headers = RequestHeaderSource(
            configuration.credentials, RequestHeaderList.style(of: configuration), to: validated.endpoint, credentials,
            tokens)
        self.clock = clock
        self.now = now
    }

    /// Whether the format has a feature for a record; it has none for a trip that has just begun.
    public func carries(_ record: TrackRecord) -> Bool {
        kinds.contains(record.kind) && OverlandEvent.hasFeature(record)
    }

    /// Sends the batch in one request.
    ///
    /// Most receivers would reject a batch with a record that has no valid position or is at 0, 0. Such records are
    /// left out and reported in ``/TrackEngine/Receipt/refused``.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let records = wanted(of: batch)
        if !records.isEmpty {
            let current = sendsLatestOnly ? nil : batch.current.flatMap { $0.hasPosition ? $0 : nil }
            let body = encoder.body(records, current: current)
            if let limit = maximumBodyLength, body.count > limit {
                throw DeliveryError(.smaller, "\(body.count) bytes, the receiver takes \(limit)")
            }
            let (reply, headers) = try await headers.request { fields throws(DeliveryError) in
                try await exchange.send(
                    body, headers: fields.fields, to: endpoint(fields), within: httpTimeout, clock: clock)
            }
            let verdict = ReplyOutcome.of(
                reply, rule: configuration.success, endpoint: configuration.endpoint, now: now(),
                hiding: headers.secrets)
            try verdict.get()
            if !reply.isCut { inbox?.take(reply.body) }
        }
        guard !batch.records.allSatisfy(\.hasPosition) else { return Receipt(settled: batch.records.count) }
        let refused = batch.records.lazy.filter { !$0.hasPosition }.map { ($0.id, TrackRecord.lackOfPosition) }
        return Receipt(settled: batch.records.count, refused: Dictionary(refused) { first, _ in first })
    }

    /// The records that have a feature. A record without a position is refused; an event without a feature, such as
    /// a trip that has just begun, is settled with the others.
    private func sendable(_ records: [TrackRecord]) -> [TrackRecord] {
        func isSendable(_ record: TrackRecord) -> Bool { record.hasPosition && OverlandEvent.hasFeature(record) }
        return records.allSatisfy(isSendable) ? records : records.filter(isSendable)
    }

    /// The records to send. With `latestOnly` these are the latest position and the events, and only
    /// the events if more records follow the batch.
    private func wanted(of batch: RecordBatch) -> [TrackRecord] {
        let records = sendable(batch.records)
        guard sendsLatestOnly else { return records }
        let latest = batch.current == nil ? records.last { $0.kind == .location }?.sequence : nil
        return records.filter { $0.kind != .location || $0.sequence == latest }
    }

    private func endpoint(_ fields: RequestHeaderSource.Fields) -> Endpoint {
        fields.query.map { configuration.endpoint.appending(query: $0) } ?? configuration.endpoint
    }

    /// The bytes that a delivery of the batch would send, for programs that count or show them. Does not send them.
    ///
    /// Records without a valid position are left out, as in a delivery.
    public func body(for batch: RecordBatch) -> [UInt8] {
        encoder.body(
            wanted(of: batch), current: sendsLatestOnly ? nil : batch.current.flatMap { $0.hasPosition ? $0 : nil })
    }

    /// Closes the connection and ends its thread.
    public func close() async {
        await exchange.close()
        await headers.close()
    }
}
