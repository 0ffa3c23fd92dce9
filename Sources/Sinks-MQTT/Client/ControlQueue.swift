/// The client's own messages (presence, announcements, health, replies) that wait to be sent ahead of records.
package struct ControlQueue: Sendable {
    /// The most messages in the queue.
    package static let capacity = 128

    private var messages: [MQTTMessage] = []

    /// An empty queue.
    package init() {}

    /// Whether the queue is empty.
    package var isEmpty: Bool { messages.isEmpty }

    /// Adds messages; those beyond the capacity are dropped, newest first.
    package mutating func post(_ new: [MQTTMessage]) {
        messages += new.prefix(max(0, Self.capacity - messages.count))
    }

    /// Removes and returns the oldest message.
    package mutating func take() -> MQTTMessage? { messages.isEmpty ? nil : messages.removeFirst() }
}

/// The messages published after each connect, and again after a consumer's birth message.
struct ConnectMessages: Sendable {
    let announcements: [MQTTMessage]
    /// The topic on which a consumer publishes `online` when it starts; `nil` where none does.
    let birthTopic: String?
}
