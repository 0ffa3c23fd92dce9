import TrackEngine

/// Messages on their way to the client's thread, and the task that waits for the result.
final class Delivery: Sendable {
    let messages: [RecordMessage]
    /// The ids of the records, in the order of the messages; empty where no consumer has to confirm them.
    let ids: [RecordID]
    /// Receives the number of messages, from the first on, that the broker has acknowledged and, if required, the
    /// consumer has confirmed.
    let confirmed: @Sendable (Int) -> Void
    private let pending = PendingResult<DeliveryProgress.Result>()

    init(
        _ messages: [RecordMessage], ids: [RecordID] = [], confirmed: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.messages = messages
        self.ids = ids
        self.confirmed = confirmed
    }

    /// Whether it has ended, including by a task that has given up.
    var hasEnded: Bool { pending.value != nil }

    /// Ends the delivery, unless it has ended.
    func end(_ result: DeliveryProgress.Result) { pending.end(result) }

    /// Waits for the result. Only one task may wait.
    func result() async -> DeliveryProgress.Result { await pending.wait() }
}
