/// Messages that were sent and are not yet acknowledged: at most as many as the broker and the settings allow.
///
/// It belongs to one connection. A new connection starts with an empty one, so an acknowledgement can never be taken for
/// that of an earlier message with the same packet identifier.
package struct InFlight: Sendable {
    /// Whose message it is.
    package enum Owner: Sendable, Hashable {
        /// A message of a delivery: which delivery, and its place in it.
        case delivery(Int, message: Int)
        /// Something of the client's own, by its topic: presence, announcements, replies.
        case control(String)
    }

    private struct Entry {
        let packet: Int32
        let serial: Int
        let sentAt: Duration
        let owner: Owner
    }

    /// After how many further messages a packet identifier could come again; well below the 65 535 there are, because
    /// subscriptions use some, too.
    package static let reuseDistance = 60_000

    private let limit: Int
    private var entries: [Entry] = []
    private var serial = 0

    /// Nothing in flight, at most `limit` later.
    package init(limit: Int) {
        self.limit = limit
        entries.reserveCapacity(limit)
    }

    /// How many messages are in flight.
    package var count: Int { entries.count }

    /// When the oldest of them was sent.
    package var oldest: Duration? { entries.first?.sentAt }

    /// Whether another may be sent.
    ///
    /// The library counts packet identifiers up without a look at those in use, so the oldest message in flight also
    /// limits how many may pass it.
    package var hasRoom: Bool {
        guard entries.count < limit else { return false }
        guard let first = entries.first else { return true }
        return serial - first.serial < Self.reuseDistance
    }

    /// A message was sent.
    package mutating func sent(_ packet: Int32, of owner: Owner, at moment: Duration) {
        entries.append(Entry(packet: packet, serial: serial, sentAt: moment, owner: owner))
        serial += 1
    }

    /// The broker acknowledged; `nil` when nothing with that identifier is in flight.
    package mutating func acknowledged(_ packet: Int32) -> Owner? {
        guard let index = entries.firstIndex(where: { $0.packet == packet }) else { return nil }
        return entries.remove(at: index).owner
    }
}
