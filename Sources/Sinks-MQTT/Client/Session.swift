/// A connection that the broker has accepted.
struct Session {
    let handle: MosquittoHandle
    var limits: BrokerLimits
    var inFlight: InFlight
    /// Messages of the client's own that wait for room, sent ahead of records.
    var waiting: [MQTTMessage] = []
    /// What was subscribed to, by the packet that asked.
    var subscriptions: [Int32: String] = [:]
    /// Whether what consumers confirm can reach this client.
    var listening: Listening
    /// The topics whose refusal was logged; they are as many as the configuration makes, so their number is bounded.
    var refusedTopics: Set<String> = []
    /// When the library was last allowed to look at the keep-alive.
    var lastTick = BootClock.now

    /// The most messages of its own that wait.
    static let capacity = 128

    init(_ handle: MosquittoHandle, limits: BrokerLimits, settings: ConnectionSettings) {
        self.handle = handle
        self.limits = limits
        listening = settings.confirm == nil ? .ready : .paused
        inFlight = InFlight(limit: min(settings.inFlight, limits.receiveMaximum))
    }

    /// Queues a message of the client's own; those beyond the capacity are dropped, newest first.
    mutating func post(_ messages: [MQTTMessage]) {
        waiting += messages.prefix(max(0, Self.capacity - waiting.count))
    }
}

extension BrokerLimits {
    /// A message is larger than the broker takes.
    struct SizeError: Error {
        let size: Int
        let maximum: Int
    }

    /// The message as this broker takes it, or why it does not.
    func fit(_ message: MQTTMessage, _ settings: ConnectionSettings) -> Result<MQTTMessage, SizeError> {
        if let maximumPacketSize {
            let size = message.packetSize(
                version: settings.version, qualityOfService: Int(settings.qualityOfService))
            if size > maximumPacketSize { return .failure(SizeError(size: size, maximum: maximumPacketSize)) }
        }
        guard message.isRetained, !canRetain else { return .success(message) }
        var message = message
        message.isRetained = false
        return .success(message)
    }
}
