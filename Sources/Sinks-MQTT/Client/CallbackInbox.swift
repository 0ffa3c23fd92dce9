/// What the library's callbacks say, until the thread that called the library looks at it. Only that thread touches it.
final class CallbackInbox {
    /// The broker's answer to CONNECT.
    var connectReply: (code: Int32, limits: BrokerLimits)?
    /// PUBACKs (or, with quality of service 0, packets written), in order.
    var acknowledgements: [(packet: Int32, code: Int32)] = []
    /// The end of the connection: a reason of the broker's (0x80 and above) or an error of the library.
    var ending: Int32?
    /// What the broker said to subscriptions: the packet that asked, and the reason.
    var subscriptionReplies: [(packet: Int32, code: UInt8)] = []
    /// Where consumers confirm records, if they have to.
    var confirmationTopic: String?
    /// Confirmations that came in, bounded by their number and by their bytes.
    private(set) var confirmations: [IncomingMessage] = []
    /// Confirmations that came in when there were too many already.
    private(set) var confirmationOverflow = 0
    private var confirmationBytes = 0
    /// Messages that came in, bounded.
    var messages: [IncomingMessage] = []
    /// Messages that came in when there were too many already.
    var overflow = 0
    /// The library's log lines while it connects, the only report of why TLS failed.
    var logText = ""
    /// What OpenSSL found wrong with the broker's certificate, as it told the broker (SSL_get_verify_result(3)); 0 is
    /// fine.
    var certificateProblem = 0

    /// The most messages kept between two looks.
    static let capacity = 16
    /// The most confirmations kept between two looks: more than one read brings.
    static let confirmationCapacity = 16_384
    /// The most bytes of confirmations kept between two looks.
    static let maximumConfirmationBytes = 2 << 20

    func note(_ text: String) {
        if logText.utf8.count < 1024 { logText += text + "\n" }
    }

    func note(_ message: IncomingMessage) {
        if message.topic == confirmationTopic { return noteConfirmation(message) }
        if messages.count < Self.capacity { messages.append(message) } else { overflow += 1 }
    }

    private func noteConfirmation(_ message: IncomingMessage) {
        let bytes = confirmationBytes + message.payload.count
        guard confirmations.count < Self.confirmationCapacity, bytes <= Self.maximumConfirmationBytes else {
            confirmationOverflow += 1
            return
        }
        confirmationBytes = bytes
        confirmations.append(message)
    }

    /// All confirmations were looked at.
    func forgetConfirmations() {
        confirmations = []
        confirmationBytes = 0
        confirmationOverflow = 0
    }
}

/// A message from the broker, cut to what may be looked at.
package struct IncomingMessage: Sendable, Hashable {
    /// Where it was published.
    package var topic: String
    /// Its bytes; empty when there were more than are looked at.
    package var payload: [UInt8]
    /// Whether it had more bytes than are looked at.
    package var isTooLong = false
    /// Whether it was kept by the broker, perhaps since long ago.
    package var isRetained = false
    /// Where the sender wants its answer (MQTT 5).
    package var responseTopic: String?
    /// What the answer shall carry (MQTT 5).
    package var correlation: [UInt8]?

    /// The longest payload that is looked at, in bytes; of confirmations ``ConfirmationMessage/maximumPayload``.
    package static let maximumPayload = 4096
    /// The longest correlation data that is sent back, in bytes.
    package static let maximumCorrelation = 1024

    /// A message with nothing special.
    package init(topic: String, payload: [UInt8]) {
        self.topic = topic
        self.payload = payload
    }
}
