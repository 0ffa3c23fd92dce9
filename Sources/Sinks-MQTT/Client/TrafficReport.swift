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
