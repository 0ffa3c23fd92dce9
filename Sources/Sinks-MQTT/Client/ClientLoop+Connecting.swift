import Logging
import TrackEngine

extension ClientLoop {
    /// The state shared by successive attempts to connect.
    struct ConnectState {
        /// The most name lookups that may be blocked at the same time; further attempts wait for one to end.
        private static let maximumLookups = 3

        /// The address family that the next attempt tries.
        fileprivate var family = ConnectAttempt.Family.any
        /// The settings of the current attempt.
        fileprivate var used: ConnectionSettings
        private var lookups: [ConnectAttempt] = []

        init(_ settings: ConnectionSettings) {
            used = settings
        }

        /// Tries IPv4 only after an address that drops packets or refuses, and all addresses again after that
        /// attempt.
        mutating func noteFailure(in phase: Phase) {
            guard family == .any, case .handshaking(_, isReachable: false, _) = phase else {
                family = .any
                return
            }
            family = .ipv4
        }

        /// Registers an attempt; returns the number of blocked lookups if they are too many for it.
        fileprivate mutating func begin(_ attempt: ConnectAttempt) -> Int? {
            lookups.removeAll { !$0.isPending }
            guard lookups.count < Self.maximumLookups else { return lookups.count }
            lookups.append(attempt)
            return nil
        }
    }

    func connect() {
        let used = state.restrictions.settings(state.settings, at: KernelClock.sinceBoot)
        let attempt = ConnectAttempt(used, family: connecting.family, wakeup: wakeup)
        if let blocked = connecting.begin(attempt) {
            return failed(MQTTFailure(.nameLookup, "\(blocked) lookups of the host name do not end"))
        }
        connecting.used = used
        phase = .starting(attempt, deadline: KernelClock.sinceBoot + state.settings.configuration.connectTimeout)
        state.show(.connecting)
        attempt.start()
    }

    func continueLookup(_ attempt: ConnectAttempt, _ deadline: Duration) {
        switch attempt.take() {
        case .success(let handle): phase = .handshaking(handle, isReachable: false, deadline: deadline)
        case .failure(let failure): failed(failure)
        case nil:
            guard KernelClock.sinceBoot >= deadline else { return }
            attempt.abandon()
            failed(MQTTFailure(.nameLookup, "the lookup of the host name does not end"))
        }
    }

    func continueHandshake(_ handle: MosquittoConnection, _ deadline: Duration) {
        if let reply = handle.inbox.connectReply {
            if reply.code == 0 { return didConnect(handle, reply.limits) }
            return failed(ReasonCode.refusal(UInt8(truncatingIfNeeded: reply.code)))
        }
        if KernelClock.sinceBoot >= deadline { failed(MQTTFailure(.timedOut, "the broker does not answer")) }
    }

    private func didConnect(_ handle: MosquittoConnection, _ limits: BrokerLimits) {
        guard limits.maximumQoS >= state.settings.configuration.qualityOfService.rawValue else {
            return failed(
                MQTTFailure(.rejected, "the broker does not acknowledge messages (maximum quality of service 0)"))
        }
        handle.stopCapturingLog()
        let session = Session(handle, limits: limits, used: connecting.used, state: state)
        phase = .online(session)
        connecting.family = .any
        state.show(.connected)
        state.logger.notice("connected to the broker", metadata: ["host": "\(state.settings.configuration.host)"])
        do throws(MQTTFailure) { try session.subscribe(to: connecting.used.subscriptions) } catch {
            return failed(error)
        }
        process(session)
    }

    // MARK: Failures

    /// The failure for the status and the log, with a hint and the client's own reaction.
    func explained(_ failure: MQTTFailure) -> MQTTFailure {
        let settings = state.settings
        let hadPresence = settings.presence?.offline.isRetained == true && !state.restrictions.retainsNothing
        state.restrictions.learn(
            from: failure, subscriptionPause: settings.subscriptionPause, at: KernelClock.sinceBoot)
        if failure.code == 0x9A, hadPresence {
            state.logger.warning("the broker does not retain messages: presence is off")
            return MQTTFailure(.brokerUnavailable, "\(failure.description): going on without presence", code: 0x9A)
        }
        if failure.kind == .messageTooLarge {
            state.logger.warning("commands are not listened to for a while", metadata: ["reason": "\(failure)"])
            state.queue.update { $0.lastRefusal = failure.description }
        }
        if failure.kind == .connectionLost, let session {
            state.restrictions.learnThatConnectionWasLost(afterRetained: session.hasJustRetained)
        }
        guard let hint = hint(for: failure) else { return failure }
        return MQTTFailure(failure.kind, "\(failure.description): \(hint)", code: failure.code)
    }

    private func hint(for failure: MQTTFailure) -> String? {
        let isVersion5 = state.settings.configuration.protocolVersion == .v5
        if isVersion5, failure.code == 1 || failure.code == 0x84 {
            return "set `protocol: 3.1.1` for a broker without MQTT 5"
        }
        guard failure.kind == .connectionLost, failure.code == nil else { return nil }
        let unretained = mayRefuseRetained ? "if the broker refuses retained messages, set `retain: false`" : nil
        guard isWaitingForConnectReply else { return unretained }
        let wrongPort = state.settings.configuration.tls == nil ? "is this plain MQTT to a port for TLS?" : nil
        let oldVersion = isVersion5 ? "if the broker has no MQTT 5, set `protocol: 3.1.1`" : nil
        let hints = [unretained, wrongPort ?? oldVersion].compactMap(\.self)
        return hints.isEmpty ? nil : hints.joined(separator: "; or ")
    }

    /// Whether the connection may have ended because of a retained last will or message: MQTT 3.1.1 has no code for
    /// it, and some brokers of MQTT 5 send none.
    private var mayRefuseRetained: Bool {
        let restrictions = state.restrictions
        if restrictions.hasRetained { return false }
        guard isWaitingForConnectReply else { return restrictions.retainedLosses > 1 }
        return !restrictions.hasAcceptedWill && connecting.used.presence?.offline.isRetained == true
    }

    /// Whether no response to CONNECT has arrived. For a peer on this machine, a reset may be seen before the
    /// acceptance.
    private var isWaitingForConnectReply: Bool {
        switch phase {
        case .starting: true
        case .handshaking(let handle, _, _): handle.inbox.connectReply == nil
        case .idle, .waiting, .online, .leaving, .ended: false
        }
    }
}
