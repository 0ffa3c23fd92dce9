/// Messages that were sent and are not yet acknowledged: at most as many as the broker and the settings allow.
///
/// It belongs to one connection. Each connection starts with an empty one, so an acknowledgement is never mistaken
/// for that of an earlier message with the same packet identifier.
package struct PendingMessages: Sendable {
    /// The owner of a message in flight.
    package enum Owner: Sendable, Hashable {
        /// A message of a delivery: the number of the delivery, and the message's index in it.
        case delivery(Int, message: Int)
        /// One of the client's own messages, by its topic: presence, announcements, replies.
        case control(String)
    }

    private struct Entry {
        let packet: Int32
        let serial: Int
        let sentAt: Duration
        let owner: Owner
    }

    /// The number of further messages after which a packet identifier could be used again. It is well below the 65
    /// 535 identifiers, because subscriptions use some, too.
    static let reuseDistance = 60_000

    private let limit: Int
    private var entries: [Entry] = []
    private var serial = 0

    /// No messages in flight, and at most `limit` later.
    package init(limit: Int) {
        self.limit = limit
        entries.reserveCapacity(limit)
    }

    /// The number of messages in flight.
    package var count: Int { entries.count }

    /// The time when the oldest of them was sent.
    package var oldest: Duration? { entries.first?.sentAt }

    /// Whether another message may be sent.
    ///
    /// The library increments packet identifiers without checking those in use, so the oldest message in flight also
    /// limits how many messages may be sent after it.
    package var hasRoom: Bool {
        guard entries.count < limit else { return false }
        guard let first = entries.first else { return true }
        return serial - first.serial < Self.reuseDistance
    }

    /// Adds a sent message.
    package mutating func sent(_ packet: Int32, of owner: Owner, at moment: Duration) {
        entries.append(Entry(packet: packet, serial: serial, sentAt: moment, owner: owner))
        serial += 1
    }

    /// Removes an acknowledged message; returns its owner, or `nil` if no message with that identifier is in flight.
    package mutating func acknowledged(_ packet: Int32) -> Owner? {
        guard let index = entries.firstIndex(where: { $0.packet == packet }) else { return nil }
        return entries.remove(at: index).owner
    }
}
