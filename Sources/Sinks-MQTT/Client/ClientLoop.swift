import CMosquitto
import Logging
import TrackEngine

/// The loop of the client's thread: connect, run the session, wait, repeat. With ``Session`` it is the only caller
/// of libmosquitto except for ``ConnectAttempt``.
///
/// It waits in `poll` for the socket, the wake-up or the next deadline, and never blocks elsewhere.
final class ClientLoop {
    /// The phases of the client.
    enum Phase {
        /// No caller wants a connection yet. To `waiting` on the first request.
        case idle
        /// Not connected. To `starting` at the given time, which may be now.
        case waiting(until: Duration, after: MQTTFailure?)
        /// A thread looks up the name. To `handshaking`, or back to `waiting` on failure or at the deadline.
        case starting(ConnectAttempt, deadline: Duration)
        /// Connecting, TLS, CONNECT. To `online` when the broker accepts, otherwise back to `waiting`.
        case handshaking(MosquittoConnection, isReachable: Bool, deadline: Duration)
        /// The broker has accepted this client. To `waiting` when the connection ends, to `leaving` on a request to
        /// close.
        case online(Session)
        /// The presence is being withdrawn. To `ended` when that is acknowledged, or at the deadline.
        case leaving(Session, deadline: Duration)
        /// The client is closed for good.
        case ended
    }

    /// The longest time that a delivery waits for the next attempt to connect; beyond it, the delivery ends with a
    /// retry.
    private static let patience = Duration.seconds(5)
    /// The time limit for the broker to acknowledge that this client goes offline.
    private static let disconnectTimeout = Duration.seconds(1)

    let state: ClientState
    let wakeup: WakePipe
    var phase = Phase.idle
    var connecting: ConnectState
    private var generator = SystemRandomNumberGenerator()

    init(_ state: ClientState, wakeup: WakePipe) {
        self.state = state
        self.wakeup = wakeup
        connecting = ConnectState(state.settings)
    }

    /// The current session; `nil` without a connection that the broker has accepted.
    var session: Session? {
        switch phase {
        case .online(let session), .leaving(let session, _): session
        case .idle, .waiting, .starting, .handshaking, .ended: nil
        }
    }

    /// Runs until the client is closed.
    func run() {
        let used = state.settings.configuration
        if used.protocolVersion == .v311, used.qualityOfService == .atLeastOnce, used.confirm == nil {
            state.logger.warning(
                "MQTT 3.1.1: the broker acknowledges messages that its access list denies, and the record is lost")
        }
        while true {
            apply(state.queue.takeRequests())
            advance()
            if case .ended = phase { return }
            wait()
        }
    }

    // MARK: Requests

    private func apply(_ requests: ClientQueue.RequestQueue) {
        if requests.wantsConnection, case .idle = phase { phase = .waiting(until: .zero, after: nil) }
        if let delivery = requests.delivery { begin(delivery) }
        if state.deliveries.owner?.hasEnded == true { state.deliveries.forget() }
        session?.control.post(requests.messages)
        if requests.isClosing { leave() }
    }

    private func begin(_ delivery: Delivery) {
        state.deliveries.begin(delivery, ids: delivery.ids, recordCounts: delivery.messages.map(\.recordCount))
        do throws(MQTTFailure) { try session?.deliveryBegins() } catch { failed(error) }
        // A delivery does not wait for an attempt that is not due soon; the caller retries it then.
        guard case .waiting(let until, let failure?) = phase else { return }
        // After a failure that only a person can mend, callers retry rarely, and perhaps because it is mended. So
        // the client tries at once.
        if failure.needsPerson {
            phase = .waiting(until: .zero, after: failure)
            return
        }
        let wait = until - KernelClock.sinceBoot
        guard wait > Self.patience else { return }
        // No message of this delivery was sent: if a message ended the connection, it belonged to another delivery.
        let isOthers = failure.kind == .messageRejected
        interruptDelivery(isOthers ? MQTTFailure(.connectionLost, failure.description) : failure, next: wait)
    }

    private func interruptDelivery(_ failure: MQTTFailure, next wait: Duration) {
        state.tell(state.deliveries.interrupt(failure, next: wait))
    }

    private func leave() {
        switch phase {
        case .online(let session):
            interruptDelivery(MQTTFailure(.connectionLost, "the sink is being closed"), next: .zero)
            session.postOffline()
            phase = .leaving(session, deadline: KernelClock.sinceBoot + Self.disconnectTimeout)
        case .starting(let attempt, _):
            attempt.abandon()
            end()
        case .idle, .waiting, .handshaking: end()
        case .leaving, .ended: break
        }
    }

    private func end() {
        interruptDelivery(MQTTFailure(.connectionLost, "the sink is closed"), next: .zero)
        phase = .ended
        state.show(.closed)
    }

    // MARK: Advancing

    private func advance() {
        switch phase {
        case .idle, .ended: break
        case .waiting(let until, _): if KernelClock.sinceBoot >= until { connect() }
        case .starting(let attempt, let deadline): continueLookup(attempt, deadline)
        case .handshaking(let handle, _, let deadline): continueHandshake(handle, deadline)
        case .online(let session): process(session)
        case .leaving(let session, let deadline): disconnect(session, by: deadline)
        }
    }

    func process(_ session: Session) {
        do throws(MQTTFailure) { try session.process() } catch { failed(error) }
    }

    private func disconnect(_ session: Session, by deadline: Duration) {
        process(session)
        guard case .leaving = phase else { return end() }  // the connection is gone: the broker publishes the will
        guard session.isDrained || KernelClock.sinceBoot >= deadline else { return }
        // A broker discards the last will on DISCONNECT, so that is sent only once all other messages are
        // acknowledged.
        if session.isDrained { session.handle.disconnect() }
        end()
    }

    /// Handles a failed attempt or a lost connection.
    func failed(_ cause: MQTTFailure) {
        let failure = explained(cause)
        connecting.noteFailure(in: phase)
        let wait = state.reconnection.failed(failure.kind, using: &generator)
        phase = .waiting(until: KernelClock.sinceBoot + wait, after: failure)
        state.show(.waiting(failure: failure, until: Timestamp.now().advanced(by: wait)))
        state.tell(state.deliveries.connectionLost())
        interruptDelivery(failure, next: wait)  // after the status, which the waiting caller may read then
        state.logger.notice("no connection to the broker", metadata: ["reason": "\(failure)"])
    }
}
