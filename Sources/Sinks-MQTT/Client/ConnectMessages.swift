/// What is published after each connect, and again after a consumer's birth message.
struct ConnectMessages: Sendable {
    let announcements: [MQTTMessage]
    /// Where a consumer publishes `online` when it starts; `nil` where none does.
    let birthTopic: String?
}
