import TrackEngine

/// Publishes the sink's health to consumers: only after changes, and not too often.
struct HealthReport {
    /// Whether the format has messages for it.
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

    /// Read only once per check: a running clock returns a later time each time.
    private var isDue: Bool { due.map { watch.now >= $0 } ?? true }

    /// Publishes the health, if it is due and has changed, or if it was not published on this connection.
    mutating func publish() async {
        guard isWanted, isDue, sink.status.connection == .connected else { return }
        guard let message = sink.format.health(await sink.health()) else { return }
        let connection = sink.status.connections
        guard last?.message != message || last?.connection != connection else { return }
        guard sink.client.queue.post(message) else { return }
        last = (message, connection)
        due = watch.now.advanced(by: MQTTSink.healthInterval)
    }
}
