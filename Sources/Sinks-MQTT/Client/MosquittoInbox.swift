/// Values from the library's callbacks, until the thread that called the library reads them. Only that thread uses
/// the inbox.
final class MosquittoInbox {
    /// The broker's response to CONNECT.
    var connectReply: (code: Int32, limits: BrokerLimits)?
    /// PUBACKs (or, with quality of service 0, packets written), in order.
    var acknowledgements: [(packet: Int32, code: Int32)] = []
    /// The end of the connection: a reason code from the broker (0x80 and above) or an error code of the library.
    var ending: Int32?
    /// The broker's responses to subscriptions: the packet of the request, and the reason code.
    var subscriptionReplies: [(packet: Int32, code: UInt8)] = []
    /// The topic on which consumers confirm records; `nil` if they do not have to.
    var confirmationTopic: String?
    /// Received confirmations, bounded by their number and by their bytes.
    private(set) var confirmations: [ReceivedMessage] = []
    /// The number of confirmations dropped because the inbox was full.
    private(set) var confirmationOverflow = 0
    private var confirmationBytes = 0
    /// Received messages, bounded.
    var messages: [ReceivedMessage] = []
    /// The number of messages dropped because the inbox was full.
    var overflow = 0
    /// The library's log lines while it connects, the only report of why TLS failed.
    var logText = ""
    /// OpenSSL's verification result for the broker's certificate, as in the alert sent to the broker
    /// (SSL_get_verify_result(3)); 0 if it is valid.
    var certificateProblem = 0

    /// The most messages kept between two reads.
    static let capacity = 16
    /// The most confirmations kept between two reads: more than one read from the socket brings.
    static let confirmationCapacity = 16_384
    /// The most bytes of confirmations kept between two reads.
    static let maximumConfirmationBytes = 2 << 20

    func note(_ text: String) {
        if logText.utf8.count < 1024 { logText += text + "\n" }
    }

    func note(_ message: ReceivedMessage) {
        if message.topic == confirmationTopic { return noteConfirmation(message) }
        if messages.count < Self.capacity { messages.append(message) } else { overflow += 1 }
    }

    private func noteConfirmation(_ message: ReceivedMessage) {
        let bytes = confirmationBytes + message.payload.count
        guard confirmations.count < Self.confirmationCapacity, bytes <= Self.maximumConfirmationBytes else {
            confirmationOverflow += 1
            return
        }
        confirmationBytes = bytes
        confirmations.append(message)
    }

    /// Removes all confirmations and their count of overflow.
    func forgetConfirmations() {
        confirmations = []
        confirmationBytes = 0
        confirmationOverflow = 0
    }
}

/// A message from the broker, without a payload that is too long.
package struct ReceivedMessage: Sendable, Hashable {
    /// The topic of the message.
    package var topic: String
    /// The payload; empty if it was longer than the limit.
    package var payload: [UInt8]
    /// Whether the payload was longer than the limit.
    package var isTooLong = false
    /// Whether the broker had retained the message, perhaps for a long time.
    package var isRetained = false
    /// The topic for the response (MQTT 5).
    package var responseTopic: String?
    /// The correlation data for the response (MQTT 5).
    package var correlation: [UInt8]?

    /// The longest payload that is kept, in bytes; for confirmations it is ``ConfirmationMessage/maximumPayload``.
    static let maximumPayload = 4096
    /// The longest correlation data that is returned, in bytes.
    static let maximumCorrelation = 1024

    /// A message without further properties.
    package init(topic: String, payload: [UInt8]) {
        self.topic = topic
        self.payload = payload
    }
}
