public import TrackEngine

/// The status of a sink's connection and deliveries, readable at any time.
public struct MQTTStatus: Sendable, Hashable {
    /// The state of the connection.
    public enum Connection: Sendable, Hashable {
        /// No caller has requested a connection yet.
        case idle
        /// Looking up the name, connecting, or waiting for the broker's response.
        case connecting
        /// The broker has accepted this client.
        case connected
        /// Not connected because of the given failure; the next attempt is at the given time.
        case waiting(failure: MQTTFailure, until: Timestamp)
        /// Closed for good.
        case closed
    }

    /// The state of the connection.
    public var connection = Connection.idle
    /// The time of the last change of `connection`.
    public var since: Timestamp?
    /// Messages sent and not yet acknowledged.
    public var inFlight = 0
    /// The time when the broker last acknowledged a message with records.
    public var lastAcknowledgement: Timestamp?
    /// Messages with records sent since the start, including repetitions.
    public var sent = 0
    /// Messages with records acknowledged since the start, except those of deliveries abandoned before.
    public var acknowledged = 0
    /// Messages with records refused since the start, whether or not they became dead letters.
    public var refused = 0
    /// The reason of the broker's last refusal of a message or a subscription.
    public var lastRefusal: String?
    /// Records confirmed by a consumer since the start; `nil` where no consumer has to confirm.
    public var confirmed: Int?
    /// The time when a consumer last confirmed a record.
    public var lastConfirmation: Timestamp?
    /// Malformed or retained confirmations since the start; they were ignored.
    public var confirmationsRejected = 0
    /// Connections that the broker accepted since the start.
    public var connections = 0
    /// Commands carried out since the start.
    public var commandsDone = 0
    /// Commands since the start that were malformed, unknown, not allowed, too many or not carried out.
    public var commandsRejected = 0

    /// The status of a client that was not used yet.
    public init() {}
}

/// Changes of the traffic counts that the status does not show yet.
package struct TransferReport: Sendable {
    /// The number of messages in flight that the status shows.
    private var shownInFlight = 0
    /// Messages of deliveries sent since the last update of the status.
    private var sent = 0

    /// A report without traffic.
    package init() {}

    /// Counts a sent message with records.
    package mutating func noteSent() { sent += 1 }

    /// Takes the update for the status: the number of messages in flight, and of those sent since the last update;
    /// `nil` if unchanged.
    package mutating func take(inFlight: Int) -> (inFlight: Int, sent: Int)? {
        guard inFlight != shownInFlight || sent > 0 else { return nil }
        defer { sent = 0 }
        shownInFlight = inFlight
        return (inFlight, sent)
    }
}
