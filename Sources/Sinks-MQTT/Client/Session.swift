import Logging
import TrackEngine

/// A connection that the broker has accepted. Only the client's thread touches it.
///
/// A method that throws leaves it to ``ClientLoop`` to end the connection.
final class Session {
    let state: ClientState
    let handle: MosquittoHandle
    var limits: BrokerLimits
    var inFlight: InFlight
    /// Messages of the client's own, sent ahead of records.
    var control = ControlQueue()
    /// What was subscribed to, by the packet that asked.
    var subscriptions: [Int32: String] = [:]
    /// Whether what consumers confirm can reach this client.
    var listening: Listening
    /// The topics whose refusal was logged; they are as many as the configuration makes, so their number is bounded.
    private var refusedTopics: Set<String> = []
    let presence: ConnectionSettings.Presence?
    /// The first retained message that was sent, until the broker acknowledges it.
    var firstRetained: Int32?
    /// When the library was last allowed to look at the keep-alive.
    private var lastTick = BootClock.now

    /// - Parameter used: what the connection was made with.
    init(_ handle: MosquittoHandle, limits: BrokerLimits, used: ConnectionSettings, state: ClientState) {
        self.handle = handle
        self.limits = limits
        self.state = state
        presence = used.presence
        if state.restrictions.retainsNothing || !used.retains { self.limits.canRetain = false }
        if presence?.offline.isRetained == true { state.restrictions.learnThatItRetains() }
        listening = used.confirm == nil ? .ready : .paused
        inFlight = InFlight(limit: min(used.inFlight, limits.receiveMaximum))
        control.post([presence?.online].compactMap(\.self) + state.connectMessages.announcements)
    }

    /// Settles acknowledgements, hands on what came in and sends what waits.
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
        if let oldest = inFlight.oldest, BootClock.now - oldest > state.settings.acknowledgementTimeout {
            throw MQTTFailure(.timedOut, "the broker does not acknowledge what it gets")
        }
        try endUnconfirmed()
        try send()
        state.showTraffic(inFlight: inFlight.count)
    }

    /// Settles what the broker and consumers said before the connection ended.
    func takeLastNews() {
        takeAcknowledgements()
        takeConfirmations()
    }

    /// Queues the message that this client goes offline.
    func postOffline() {
        if let presence { control.post([presence.offline]) }
    }

    /// Whether everything of the client's own was sent and acknowledged.
    var isDrained: Bool { control.isEmpty && inFlight.count == 0 }

    // MARK: Keep-alive

    /// Whether nothing was done for longer than the keep-alive: the library's own clock stands still while the machine
    /// sleeps.
    var isOverslept: Bool { BootClock.now - lastTick > .seconds(state.settings.keepAlive) }

    /// Lets the library look at the keep-alive, once a second.
    func tick() throws(MQTTFailure) {
        let now = BootClock.now
        guard now - lastTick >= .seconds(1) else { return }
        lastTick = now
        try handle.tick()
    }

    // MARK: Refusals

    /// The broker refused something that carries no record, for a reason of its own.
    func noteRefusal(of topic: String, _ code: UInt8) {
        learnRestriction(code)
        noteRefusal(of: topic, ReasonCode.name(code))
    }

    /// The broker refused a message of a delivery. What carries records is the drain's affair; what shows the newest one
    /// beside them is told here.
    func noteRefusal(of topic: String?, _ recordCount: Int, _ code: UInt8) {
        guard recordCount == 0, let topic else { return learnRestriction(code) }
        noteRefusal(of: topic, code)
    }

    /// Something that carries no record was not taken. It is in the status each time, and once a connection in the log.
    func noteRefusal(of topic: String, _ reason: String) {
        state.mailbox.update { $0.lastRefusal = "\(topic): \(reason)" }
        guard refusedTopics.insert(topic).inserted else { return }
        state.logger.warning(
            "the broker refuses a message", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
    }

    /// Remembers that the broker does not support something.
    private func learnRestriction(_ code: UInt8) {
        state.restrictions.learn(fromReason: code)
        if state.restrictions.retainsNothing { limits.canRetain = false }
    }
}
