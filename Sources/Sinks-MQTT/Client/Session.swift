import Logging
import TrackEngine

/// A connection that the broker has accepted. Only the client's thread uses it.
///
/// After a method throws, ``ClientLoop`` ends the connection.
final class Session {
    let state: ClientState
    let handle: MosquittoConnection
    var limits: BrokerLimits
    var inFlight: PendingMessages
    /// The client's own messages, sent ahead of records.
    var control = ControlQueue()
    /// The requested subscriptions, by the packet of the request.
    var subscriptions: [Int32: String] = [:]
    /// Whether confirmations by consumers can reach this client.
    var listening: ConfirmationState
    /// The topics with a logged refusal. The configuration bounds their number.
    private var refusedTopics: Set<String> = []
    let presence: ConnectionSettings.Presence?
    /// The first retained message that was sent, until the broker acknowledges it.
    var firstRetained: (packet: Int32, time: Duration)?
    /// The time when the library last checked the keep-alive.
    private var lastTick = KernelClock.sinceBoot

    /// - Parameter used: the settings of the connection.
    init(_ handle: MosquittoConnection, limits: BrokerLimits, used: ConnectionSettings, state: ClientState) {
        self.handle = handle
        self.limits = limits
        self.state = state
        presence = used.presence
        if state.restrictions.retainsNothing || !used.configuration.retains { self.limits.canRetain = false }
        if presence?.offline.isRetained == true { state.restrictions.learnThatItAcceptsWill() }
        listening = used.configuration.confirm == nil ? .ready : .paused
        inFlight = PendingMessages(limit: min(used.configuration.inFlight, limits.receiveMaximum))
        control.post([presence?.online].compactMap(\.self) + state.connectMessages.announcements)
    }

    /// Settles acknowledgements, passes on received messages and sends waiting ones.
    func process() throws(MQTTFailure) {
        takeAcknowledgements()
        takeMessages()
        takeConfirmations()
        if let ending = handle.inbox.ending {
            throw ending >= 0x80
                ? ReasonCode.ending(UInt8(truncatingIfNeeded: ending))
                : MQTTFailure.library(ending, errno: 0, logText: "")
        }
        try resumeSubscriptions()
        if let oldest = inFlight.oldest,
            KernelClock.sinceBoot - oldest > state.settings.configuration.acknowledgementTimeout
        {
            throw MQTTFailure(.timedOut, "the broker does not acknowledge messages")
        }
        try endUnconfirmed()
        try send()
        state.showTraffic(inFlight: inFlight.count)
    }

    /// Settles acknowledgements and confirmations that arrived before the connection ended.
    func takeLastNews() {
        takeAcknowledgements()
        takeConfirmations()
    }

    /// Queues the message that this client goes offline.
    func postOffline() {
        if let presence { control.post([presence.offline]) }
    }

    /// Whether a retained message was sent a short time ago and is not acknowledged.
    var hasJustRetained: Bool {
        firstRetained.map { KernelClock.sinceBoot - $0.time < .seconds(10) } ?? false
    }

    /// Whether all of the client's own messages were sent and acknowledged.
    var isDrained: Bool { control.isEmpty && inFlight.count == 0 }

    // MARK: Keep-alive

    /// Whether the session was idle for longer than the keep-alive: the library's own clock stops while the machine
    /// sleeps.
    var isOverslept: Bool { KernelClock.sinceBoot - lastTick > state.settings.configuration.keepAlive }

    /// Lets the library check the keep-alive, once a second.
    func tick() throws(MQTTFailure) {
        let now = KernelClock.sinceBoot
        guard now - lastTick >= .seconds(1) else { return }
        lastTick = now
        try handle.tick()
    }

    // MARK: Refusals

    /// Notes that the broker refused a message without records, for a reason code.
    func noteRefusal(of topic: String, _ code: UInt8) {
        learnRestriction(code)
        noteRefusal(of: topic, ReasonCode.name(code))
    }

    /// Notes that the broker refused a message of a delivery. The sink delivery handles messages with records;
    /// refusals of the message that shows the newest record are reported here.
    func noteRefusal(of topic: String?, _ recordCount: Int, _ code: UInt8) {
        guard recordCount == 0, let topic else { return learnRestriction(code) }
        noteRefusal(of: topic, code)
    }

    /// Reports that a message without records was not accepted: in the status each time, in the log once per
    /// connection.
    func noteRefusal(of topic: String, _ reason: String) {
        state.queue.update { $0.lastRefusal = "\(topic): \(reason)" }
        guard refusedTopics.insert(topic).inserted else { return }
        state.logger.warning(
            "the broker refuses a message", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
    }

    /// Notes that the broker does not support a feature.
    private func learnRestriction(_ code: UInt8) {
        state.restrictions.learn(fromReason: code)
        if state.restrictions.retainsNothing { limits.canRetain = false }
    }
}
