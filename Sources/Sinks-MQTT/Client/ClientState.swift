import Logging
import TrackEngine

/// State that outlives the client's connections: the current delivery, and knowledge about the broker. Only the
/// client's thread uses it.
final class ClientState {
    let settings: ConnectionSettings
    let connectMessages: ConnectMessages
    let queue: ClientQueue
    let logger: Logger
    var deliveries: DeliveryState<Delivery>
    var reconnection: ConnectBackoff
    /// Restrictions that the broker has shown.
    var restrictions = BrokerRestrictions()
    var malformedConfirmations = LogLimiter(interval: .seconds(60))
    private var traffic = TransferReport()

    init(
        _ settings: ConnectionSettings, backoff: Backoff, connectMessages: ConnectMessages, queue: ClientQueue,
        logger: Logger
    ) {
        self.settings = settings
        self.connectMessages = connectMessages
        self.queue = queue
        self.logger = logger
        deliveries = DeliveryState(needsConfirmation: settings.configuration.confirm != nil)
        reconnection = ConnectBackoff(backoff)
    }

    /// Notifies the owner of a delivery of a change.
    func tell(_ change: DeliveryState<Delivery>.Change?) {
        guard let change else { return }
        if let confirmed = change.confirmed { change.owner.confirmed(confirmed) }
        if let result = change.result { change.owner.end(result) }
    }

    // MARK: Status

    func noteSent() { traffic.noteSent() }

    /// Publishes the traffic counts in the status: messages in flight and messages sent.
    func showTraffic(inFlight: Int) {
        guard let news = traffic.take(inFlight: inFlight) else { return }
        queue.update { status in
            status.inFlight = news.inFlight
            status.sent += news.sent
        }
    }

    /// Publishes the state of the connection in the status.
    func show(_ connection: MQTTStatus.Connection) {
        queue.update { status in
            status.connection = connection
            status.since = .now()
            if connection == .connected { status.connections += 1 }
        }
        showTraffic(inFlight: 0)
        if connection == .connected { queue.news.raise() }
    }
}
