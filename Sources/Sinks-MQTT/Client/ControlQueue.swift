/// Messages of the client's own (presence, announcements, health, replies) that wait to be sent ahead of records.
package struct ControlQueue: Sendable {
    /// The most messages that wait.
    package static let capacity = 128

    private var messages: [MQTTMessage] = []

    /// Nothing waits.
    package init() {}

    /// Whether nothing waits.
    package var isEmpty: Bool { messages.isEmpty }

    /// Queues messages; those beyond the capacity are dropped, newest first.
    package mutating func post(_ new: [MQTTMessage]) {
        messages += new.prefix(max(0, Self.capacity - messages.count))
    }

    /// Takes the message that has waited longest.
    package mutating func take() -> MQTTMessage? { messages.isEmpty ? nil : messages.removeFirst() }
}

/// What is published after each connect, and again after a consumer's birth message.
struct ConnectMessages: Sendable {
    let announcements: [MQTTMessage]
    /// Where a consumer publishes `online` when it starts; `nil` where none does.
    let birthTopic: String?
}
