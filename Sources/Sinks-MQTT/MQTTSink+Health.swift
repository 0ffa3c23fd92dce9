import TrackEngine

/// Tells consumers how the sink is doing: when that has changed, and not too often.
struct HealthReport {
    /// Whether the format has anything to say about it.
    let isWanted: Bool
    private let sink: MQTTSink
    private let watch: MonotonicClock
    private var due: TrackInstant?
    private var last: (message: MQTTMessage, connection: Int)?

    init(sink: MQTTSink) {
        self.sink = sink
        isWanted = sink.format.health(SinkHealth()) != nil
        watch = MonotonicClock(sink.clock)
    }

    /// Read once: a clock that runs shows a later moment each time it is looked at.
    private var isDue: Bool { due.map { watch.now >= $0 } ?? true }

    /// Publishes, if it is time and there is news, or a connection on which it was not published.
    mutating func publish() async {
        guard isWanted, isDue, sink.status.connection == .connected else { return }
        guard let message = sink.format.health(await sink.health()) else { return }
        let connection = sink.status.connections
        guard last?.message != message || last?.connection != connection else { return }
        guard sink.client.mailbox.post(message) else { return }
        last = (message, connection)
        due = watch.now.advanced(by: MQTTSink.healthInterval)
    }
}
