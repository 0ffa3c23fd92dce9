package import Logging
public import TrackEngine

/// Publishes records to an MQTT broker. A record is settled by the broker's acknowledgement and, where
/// ``Configuration/confirm`` requires it, by a consumer's confirmation as well.
///
/// The sink holds no queue: of each batch at most ``Configuration/inFlight`` messages are in flight at a time, in
/// order. The sink delivery sends messages again that the broker has not acknowledged when a connection ends. The
/// connection is made when first needed and kept up until ``close()``, with a growing wait after each failure, without a
/// limit of attempts.
public final class MQTTSink: ProgressReporting {
    /// The state kept between deliveries.
    private struct State {
        var handler: (any MQTTCommandHandler)?
        var queued: (@Sendable () async -> Int?)?
        /// The record that was last shown as the newest.
        var latest: RecordID?
        /// The newest host status with battery data in a delivered batch.
        var host: HostStatus?
    }

    /// The shortest interval between two health reports.
    static let healthInterval = Duration.seconds(10)
    /// The time limit of a command.
    static let commandTimeout = Duration.seconds(30)

    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID

    let configuration: Configuration
    let format: any MessageFormat
    let client: MQTTClient
    let clock: any Clock<Duration>
    private let state = SystemMutex(State())

    /// Creates a sink; it makes no connection before the first delivery or ``run()``.
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - configuration: the broker, the client's identity and the guarantees.
    ///   - format: converts records to messages.
    ///   - clock: times health reports and commands; the connection uses the system's clock.
    ///   - subscriptionPause: the pause without subscriptions after a message that is larger than the sink accepts.
    ///   - beforeLookup: called on a thread that may hang, before each lookup of the host name.
    /// - Throws: all problems of the configuration.
    package init(
        id: SinkID = "mqtt", configuration: Configuration, format: any MessageFormat,
        clock: any Clock<Duration> = ContinuousClock(),
        subscriptionPause: Duration = .seconds(600), beforeLookup: @escaping @Sendable () -> Void = {},
        logger: Logger = Logger(label: "track-engine.mqtt")
    ) throws(ConfigurationError) {
        var settings = try ConnectionSettings(configuration, id: id, format)
        settings.beforeLookup = beforeLookup
        settings.subscriptionPause = subscriptionPause
        var logger = logger
        logger[metadataKey: "sink"] = "\(id)"
        self.id = id
        self.configuration = configuration
        self.format = format
        self.clock = clock
        client = MQTTClient(
            settings, backoff: configuration.backoff,
            connectMessages: ConnectMessages(
                announcements: format.announcements, birthTopic: format.birthTopic),
            logger: logger)
    }

    /// The kinds of record for which the format has messages.
    public var kinds: RecordKinds { format.kinds }

    /// The status of the connection and the deliveries.
    public var status: MQTTStatus { client.queue.status }

    /// Sets the handler that carries out commands; without one the reply is an error.
    public func handleCommands(with handler: any MQTTCommandHandler) {
        state.withLock { $0.handler = handler }
    }

    /// Sets a function that counts the waiting records, for consumers that show it.
    public func observeQueue(_ queued: @escaping @Sendable () async -> Int?) {
        state.withLock { $0.queued = queued }
    }

    /// Publishes the batch's messages in order and settles those, from the first on, that the broker has
    /// acknowledged and, if required, a consumer has confirmed.
    ///
    /// A message that the broker will never accept is refused, and the rest continues. Without a connection, the
    /// delivery waits for an attempt that is due within seconds, and throws otherwise.
    public func deliver(
        _ batch: RecordBatch, reporting progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryError) -> Receipt {
        let latest = latest(of: batch)
        let outgoing = DeliveryMessages(batch, format: format, latest: latest)
        let counts = outgoing.recordCounts
        let ids = configuration.confirm == nil ? [] : outgoing.ids
        let result = await client.deliver(outgoing.messages, ids: ids) { progress(counts[$0]) }
        let receipt = try outgoing.receipt(result)
        state.withLock { state in
            if batch.isBacklog || result.failure == nil { state.latest = latest?.id ?? state.latest }
            state.host = batch.records.last { $0.host?.tellsOfBattery == true }?.host ?? state.host
        }
        return receipt
    }

    /// The newest record, if it must be shown and was not shown yet.
    private func latest(of batch: RecordBatch) -> TrackRecord? {
        guard configuration.keepsLast,
            // In a backlog the batch's own last position is an old one.
            let newest =
                batch.current
                ?? (batch.isBacklog ? nil : batch.records.last { $0.kind == .location })
        else { return nil }
        return state.withLock { $0.latest } == newest.id ? nil : newest
    }

    /// Keeps the connection up, carries out commands and reports health, until cancelled.
    public func run() async throws {
        client.start()
        var health = HealthReport(sink: self)
        while !Task.isCancelled {
            await client.queue.news.wait(for: health.isWanted ? Self.healthInterval : nil, on: clock)
            for message in client.queue.takeIncoming() { await reply(to: message) }
            await health.publish()
        }
    }

    /// Publishes that this client goes offline, disconnects and ends the client's thread, within 5 s in any case.
    public func close() async {
        await client.close()
    }

    // MARK: Kept state

    var handler: (any MQTTCommandHandler)? { state.withLock { $0.handler } }

    /// The current health of the sink.
    func health() async -> SinkHealth {
        let (queued, host) = state.withLock { ($0.queued, $0.host) }
        return SinkHealth(queued: await queued?(), lastSuccess: status.lastAcknowledgement, host: host)
    }
}
