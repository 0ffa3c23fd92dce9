import CMosquitto
import Glibc
import Logging
import TrackEngine

/// The life of the client on its thread: the only caller of libmosquitto but for ``ConnectAttempt``.
///
/// It waits in `poll` for the socket, the wake-up or the next deadline, and never blocks elsewhere.
final class ClientLoop {
    /// What holds.
    enum Phase {
        /// Nobody wants a connection. To `waiting` when somebody does.
        case idle
        /// Not connected. To `starting` at the moment, which may be now.
        case waiting(until: Duration, after: MQTTFailure?)
        /// A thread looks up the name. To `handshaking`, or back to `waiting` on failure or at the deadline.
        case starting(ConnectAttempt, deadline: Duration)
        /// Connecting, TLS, CONNECT. To `online` with the broker's consent, else back to `waiting`.
        case handshaking(MosquittoHandle, isReachable: Bool, deadline: Duration)
        /// The broker has accepted us. To `waiting` when the connection ends, to `leaving` when asked to close.
        case online
        /// The presence is being taken back. To `ended` when that is acknowledged, or at the deadline.
        case leaving(deadline: Duration)
        /// Nothing more will happen.
        case ended
    }

    /// How long a delivery may wait for the next attempt to connect, before it is told to come again.
    static let patience = Duration.seconds(5)
    /// How long the broker has to acknowledge that this client goes offline.
    static let disconnectTimeout = Duration.seconds(1)
    /// How many name lookups may hang at the same time; attempts beyond that wait for one to end.
    static let maximumLookups = 3

    let settings: ConnectionSettings
    let mailbox: ClientMailbox
    let wakeup: WakeupPipe
    let connectMessages: ConnectMessages
    let logger: Logger
    var phase = Phase.idle
    /// There in `online` and `leaving`.
    var session: Session?
    var active: ActiveDelivery?
    /// What the delivery under way, or the last one, waits for where a consumer has to confirm its records.
    var awaited: AwaitedConfirmations?
    /// Whether messages are sent one by one, each when the one before is settled, until a delivery succeeds: after a
    /// message that failed they would be sent again and again. See ``noteLostConfirmations()``, too.
    var isCautious = false
    var malformedConfirmations = LogLimit(interval: .seconds(60))
    var reconnection: Reconnection
    var family = ConnectAttempt.Family.any
    /// What the status says about messages in flight.
    var shownInFlight = 0
    /// Messages of deliveries that were sent since the status was last told.
    var sent = 0
    private var deliveries = 0
    private var lookups: [ConnectAttempt] = []
    /// What the attempt under way, or the connection, was made with.
    private var used: ConnectionSettings
    /// What the broker has shown that it cannot take.
    var restrictions = BrokerRestrictions()
    private var generator = SystemRandomNumberGenerator()

    /// What is published after each connect, and again after a consumer's birth message.
    struct ConnectMessages: Sendable {
        let announcements: [MQTTMessage]
        let birthTopic: String?
    }

    init(
        _ settings: ConnectionSettings, backoff: Backoff, connectMessages: ConnectMessages, mailbox: ClientMailbox,
        wakeup: WakeupPipe, logger: Logger
    ) {
        self.settings = settings
        used = settings
        self.mailbox = mailbox
        self.wakeup = wakeup
        self.connectMessages = connectMessages
        self.logger = logger
        reconnection = Reconnection(backoff)
    }

    /// Runs until closed.
    func run() {
        if settings.version == .v311, settings.qualityOfService == 1, settings.confirm == nil {
            logger.warning("MQTT 3.1.1: the broker acknowledges what its access list denies, and the record is lost")
        }
        while true {
            apply(mailbox.takeRequests())
            advance()
            if case .ended = phase { return }
            wait()
        }
    }

    // MARK: Requests

    private func apply(_ requests: ClientMailbox.Requests) {
        if requests.wantsConnection, case .idle = phase { phase = .waiting(until: .zero, after: nil) }
        if let delivery = requests.delivery { begin(delivery) }
        if active?.delivery.hasEnded == true { active = nil }
        session?.post(requests.messages)
        if requests.isClosing { leave() }
    }

    private func begin(_ delivery: Delivery) {
        deliveries += 1
        active = ActiveDelivery(delivery, number: deliveries)
        awaitConfirmations(of: delivery)
        // An attempt that is not due soon is not waited for: whoever delivers shall come again then.
        guard case .waiting(let until, let failure?) = phase else { return }
        // Whoever looks again after a failure that only a person can mend comes rarely, and perhaps because it is
        // mended.
        if failure.needsPerson {
            phase = .waiting(until: .zero, after: failure)
            return
        }
        let wait = until - BootClock.now
        guard wait > Self.patience else { return }
        // Nothing of this delivery was sent: if a message ended the connection, it was another delivery's.
        let isOthers = failure.kind == .messageRejected
        interruptDelivery(isOthers ? MQTTFailure(.connectionLost, failure.description) : failure, next: wait)
    }

    func interruptDelivery(_ failure: MQTTFailure, next wait: Duration) {
        active?.interrupt(failure, next: wait)
        active = nil
    }

    private func leave() {
        switch phase {
        case .online:
            interruptDelivery(MQTTFailure(.connectionLost, "the sink is being closed"), next: .zero)
            if let offline = used.presence?.offline { session?.post([offline]) }
            phase = .leaving(deadline: BootClock.now + Self.disconnectTimeout)
        case .starting(let attempt, _):
            attempt.abandon()
            end()
        case .idle, .waiting, .handshaking: end()
        case .leaving, .ended: break
        }
    }

    private func end() {
        interruptDelivery(MQTTFailure(.connectionLost, "the sink is closed"), next: .zero)
        session = nil
        phase = .ended
        show(.closed)
    }

    // MARK: Going on

    private func advance() {
        switch phase {
        case .idle, .ended: break
        case .waiting(let until, _): if BootClock.now >= until { connect() }
        case .starting(let attempt, let deadline): lookAt(attempt, deadline)
        case .handshaking(let handle, _, let deadline): lookAt(handle, deadline)
        case .online: processSession()
        case .leaving(let deadline): disconnect(by: deadline)
        }
    }

    private func connect() {
        lookups.removeAll { !$0.isPending }
        guard lookups.count < Self.maximumLookups else {
            return failed(MQTTFailure(.nameLookup, "\(lookups.count) lookups of the host name do not end"))
        }
        used = restrictions.settings(settings, at: BootClock.now)
        let attempt = ConnectAttempt(used, family: family, wakeup: wakeup)
        lookups.append(attempt)
        phase = .starting(attempt, deadline: BootClock.now + settings.connectTimeout)
        show(.connecting)
        attempt.start()
    }

    private func lookAt(_ attempt: ConnectAttempt, _ deadline: Duration) {
        switch attempt.take() {
        case .success(let handle): phase = .handshaking(handle, isReachable: false, deadline: deadline)
        case .failure(let failure): failed(failure)
        case nil:
            guard BootClock.now >= deadline else { return }
            attempt.abandon()
            failed(MQTTFailure(.nameLookup, "the lookup of the host name does not end"))
        }
    }

    private func lookAt(_ handle: MosquittoHandle, _ deadline: Duration) {
        if let reply = handle.inbox.connectReply {
            if reply.code == 0 { return didConnect(handle, reply.limits) }
            return failed(ReasonCode.refusal(UInt8(truncatingIfNeeded: reply.code)))
        }
        if BootClock.now >= deadline { failed(MQTTFailure(.timedOut, "the broker does not answer")) }
    }

    private func didConnect(_ handle: MosquittoHandle, _ limits: BrokerLimits) {
        guard limits.maximumQoS >= Int(settings.qualityOfService) else {
            return failed(MQTTFailure(.rejected, "the broker acknowledges nothing (maximum quality of service 0)"))
        }
        handle.stopCapturingLog()
        var limits = limits
        if restrictions.retainsNothing { limits.canRetain = false }
        var next = Session(handle, limits: limits, settings: settings)
        next.post((used.presence.map { [$0.online] } ?? []) + connectMessages.announcements)
        session = next
        phase = .online
        family = .any
        show(.connected)
        logger.notice("connected to the broker", metadata: ["host": "\(settings.host)"])
        do throws(MQTTFailure) { try subscribe(to: used.subscriptions) } catch { return failed(error) }
        processSession()
    }

    /// The attempt failed, or the connection is gone.
    func failed(_ cause: MQTTFailure) {
        let failure = explained(cause)
        family = nextFamily
        session = nil
        let wait = reconnection.failed(failure.kind, using: &generator)
        phase = .waiting(until: BootClock.now + wait, after: failure)
        show(.waiting(failure, until: Timestamp.now().advanced(by: wait)))
        noteLostConfirmations()
        interruptDelivery(failure, next: wait)  // after the status, which whoever waits may look at then
        logger.notice("no connection to the broker", metadata: ["reason": "\(failure)"])
    }

    /// After an address that drops packets or refuses, IPv4 only; after that attempt, all addresses again.
    private var nextFamily: ConnectAttempt.Family {
        guard family == .any, case .handshaking(_, isReachable: false, _) = phase else { return .any }
        return .ipv4
    }

    private func disconnect(by deadline: Duration) {
        processSession()
        guard case .leaving = phase else { return end() }  // the connection is gone: the broker publishes the will
        guard let session else { return end() }
        let isSent = session.waiting.isEmpty && session.inFlight.count == 0
        guard isSent || BootClock.now >= deadline else { return }
        // After DISCONNECT a broker discards the last will, so it is sent only once the rest is acknowledged.
        if isSent { session.handle.disconnect() }
        end()
    }

    private func show(_ connection: MQTTStatus.Connection) {
        mailbox.update { status in
            status.connection = connection
            status.since = .now()
            status.inFlight = 0
            shownInFlight = 0
            if connection == .connected { status.connections += 1 }
        }
        if connection == .connected { mailbox.news.raise() }
    }
}
