import TrackEngine

extension TrackerStatus {
    /// The status with the keys of `trackd status --json`; unknown values are absent.
    var json: JSONText {
        .object([
            ("state", .text("\(state)")), ("time", time.json), ("sources", .list(sources.map(\.json))),
            ("sinks", .list(sinks.map(\.json))), ("store", storeJSON),
        ])
    }

    private var storeJSON: JSONText {
        .object([
            ("records", store.map { .whole(Int64($0.count)) }),
            ("lastSequence", store.map { .whole($0.lastSequence.rawValue) }),
            ("bytes", store.map { .whole($0.bytes) }), ("dropped", store.map { .whole($0.dropped) }),
            ("deadLetters", store.map { .whole(Int64($0.deadLetters)) }),
            ("warning", store?.warning.map(JSONText.text)), ("failure", storeFailure.map(JSONText.text)),
        ])
    }
}

extension SourceReport {
    fileprivate var json: JSONText {
        .object([
            ("id", .text(id.rawValue)), ("status", .text(status.word)), ("detail", status.detail.map(JSONText.text)),
            ("moving", .flag(isMoving)), ("standby", .flag(isStandby)), ("fixes", .whole(Int64(fixes))),
            ("recorded", .whole(Int64(recorded))),
            ("causes", counts(causes.map { ($0.name, $1) })), ("odometer", .number(odometer)),
            ("rejected", counts(rejected.map { ($0.name, $1) })), ("lastArrival", lastArrival?.json),
        ])
    }

    private func counts(_ counts: [(String, Int)]) -> JSONText {
        .object(counts.sorted { $0.0 < $1.0 }.map { ($0, .whole(Int64($1))) })
    }
}

extension SourceStatus {
    /// The status in one word.
    fileprivate var word: String {
        switch self {
        case .connecting: "connecting"
        case .waiting: "waiting"
        case .receiving: "receiving"
        case .sleeping: "sleeping"
        case .unavailable: "unavailable"
        case .finished: "finished"
        }
    }

    /// The detail that the source reports with its status.
    fileprivate var detail: String? {
        switch self {
        case .waiting(let detail), .unavailable(let detail): detail
        case .connecting, .receiving, .sleeping, .finished: nil
        }
    }
}

extension TrackerStatus.SinkReport {
    fileprivate var json: JSONText {
        .object([
            ("id", .text(id.rawValue)), ("activity", .text("\(sync.activity)")), ("queued", .whole(Int64(sync.queued))),
            ("oldest", sync.oldest?.json), ("delivered", .whole(Int64(sync.delivered))),
            ("refused", .whole(Int64(sync.refused))), ("tried", .whole(Int64(sync.tried))),
            ("lastAttempt", sync.lastAttempt?.json), ("lastSuccess", sync.lastSuccess?.json),
            ("lastFailure", sync.lastFailure?.json), ("nextDue", sync.nextDue?.json),
            ("failure", sync.failure.map(JSONText.text)), ("lastRefusal", sync.lastRefusal.map(JSONText.text)),
        ])
    }
}

extension Timestamp {
    fileprivate var json: JSONText { .text(rfc3339()) }
}
