public import TrackEngine

/// How a sink's connection and deliveries stand, readable at any time.
public struct MQTTStatus: Sendable, Hashable {
    /// What the client is doing.
    public enum Connection: Sendable, Hashable {
        /// Nothing has asked for a connection yet.
        case idle
        /// Looking up the name, connecting, or waiting for the broker's answer.
        case connecting
        /// The broker has accepted this client.
        case connected
        /// Not connected, for the reason given; the next attempt is at the time given.
        case waiting(failure: MQTTFailure, until: Timestamp)
        /// Closed for good.
        case closed
    }

    /// What the client is doing.
    public var connection = Connection.idle
    /// Since when the connection is as it is.
    public var since: Timestamp?
    /// Messages sent and not yet acknowledged.
    public var inFlight = 0
    /// When the broker last acknowledged a message with records.
    public var lastAcknowledgement: Timestamp?
    /// Messages with records that were sent since the start, those included that were sent again.
    public var sent = 0
    /// Messages with records that were acknowledged since the start, but for those whose delivery was given up meanwhile.
    public var acknowledged = 0
    /// Messages with records that were refused since the start, whether they became dead letters or not.
    public var refused = 0
    /// Why the broker last refused a message or a subscription.
    public var lastRefusal: String?
    /// Records that a consumer has confirmed since the start; `nil` where none has to.
    public var confirmed: Int?
    /// When a consumer last confirmed a record.
    public var lastConfirmation: Timestamp?
    /// Confirmations that were malformed or retained, since the start; they changed nothing.
    public var confirmationsRejected = 0
    /// Connections that the broker accepted since the start.
    public var connections = 0
    /// Commands carried out since the start.
    public var commandsDone = 0
    /// Commands that were malformed, unknown, not allowed, too many or not carried out, since the start.
    public var commandsRejected = 0

    /// The status of a client that has done nothing yet.
    public init() {}
}

/// What the status says about messages that were sent: tells it only when it has changed.
package struct TrafficReport: Sendable {
    /// What the status says about messages in flight.
    private var shownInFlight = 0
    /// Messages of deliveries that were sent since the status was last told.
    private var sent = 0

    /// Nothing was sent.
    package init() {}

    /// A message with records was sent.
    package mutating func noteSent() { sent += 1 }

    /// What to tell the status: how many messages are in flight, and how many more were sent; `nil` if nothing is new.
    package mutating func take(inFlight: Int) -> (inFlight: Int, sent: Int)? {
        guard inFlight != shownInFlight || sent > 0 else { return nil }
        defer { sent = 0 }
        shownInFlight = inFlight
        return (inFlight, sent)
    }
}
