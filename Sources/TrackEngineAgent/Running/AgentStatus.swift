package import TrackEngine
package import TrackEngineSettings

/// The status of an agent at one moment, as a status page shows it.
package struct AgentStatus: Sendable, Hashable {
    /// The tracked object's name.
    package var device: DeviceID
    /// The time at which the agent started.
    package var started: Timestamp
    package var storePath: String
    /// Whether the records in the store's files are unreadable without its key.
    package var storeIsEncrypted: Bool
    /// The status of the engine.
    package var tracker: TrackerStatus
    /// Additional status items of the sources.
    var sourceStatus: [SourceID: PluginStatus]
    /// Additional status items of the sinks, such as the state of the connection to a broker.
    package var sinkStatus: [SinkID: PluginStatus]
    /// The remote settings.
    package var remote: RemoteStatus
    /// The tracking profile in force; `nil` without rules.
    package var tracking: ProfileStatus?
    /// The machine's wireless network.
    package var wifi: WifiStatus

    package init(
        device: DeviceID, started: Timestamp, storePath: String, storeIsEncrypted: Bool = false, tracker: TrackerStatus,
        sourceStatus: [SourceID: PluginStatus] = [:], sinkStatus: [SinkID: PluginStatus] = [:],
        remote: RemoteStatus = RemoteStatus(), tracking: ProfileStatus? = nil,
        wifi: WifiStatus = WifiStatus()
    ) {
        self.device = device
        self.started = started
        self.storePath = storePath
        self.storeIsEncrypted = storeIsEncrypted
        self.tracker = tracker
        self.sourceStatus = sourceStatus
        self.sinkStatus = sinkStatus
        self.remote = remote
        self.tracking = tracking
        self.wifi = wifi
    }

    /// The status for programs, as `trackd status --json` prints it. Unknown values are absent.
    package var json: JSONValue {
        .members(
            ("device", .string(device.rawValue)), ("state", .string(tracker.state.word)),
            ("pause", tracker.pause?.json), ("tracking", tracking?.json), ("wifi", wifi.json),
            ("time", tracker.time.json),
            ("started", started.json),
            ("sources", .array(tracker.sources.map { $0.json(sourceStatus[$0.id], hidesPlace: tracker.pause != nil) })),
            ("sinks", .array(tracker.sinks.map { $0.json(sinkStatus[$0.id]) })),
            ("store", storeJSON), ("remote", remote.json))
    }

    private var storeJSON: JSONValue {
        let store = tracker.store
        return .members(
            ("path", .string(storePath)), ("encrypted", .boolean(storeIsEncrypted)),
            ("records", store.map { .whole($0.count) }),
            ("lastSequence", store.map { .whole($0.lastSequence.rawValue) }), ("bytes", store.map { .whole($0.bytes) }),
            ("dropped", store.map { .whole($0.dropped) }), ("deadLetters", store.map { .whole($0.deadLetters) }),
            ("warning", store?.warning.map { .string($0) }), ("failure", tracker.storeFailure.map { .string($0) }))
    }
}

extension SourceReport {
    fileprivate func json(_ plugin: PluginStatus?, hidesPlace: Bool) -> JSONValue {
        .members(
            ("id", .string(id.rawValue)), ("status", .string(status.word)),
            ("detail", status.detail.map { .string($0) }), ("moving", .boolean(isMoving)),
            ("standby", .boolean(isStandby)), ("next", nextRest?.json), ("fixes", .whole(fixes)),
            ("recorded", .whole(recorded)), ("events", .whole(events)),
            ("causes", .counts(causes.map { ($0.name, $1) })), ("odometer", .number(odometer)),
            ("rejected", .counts(rejected.map { ($0.name, $1) })), ("allRefused", steadyRefusal?.json),
            ("problems", .counts(problems.map { ($0.rawValue, $1) })), ("lastArrival", lastArrival?.json),
            ("latest", hidesPlace ? nil : latest?.json), (plugin?.type ?? "", plugin?.items.json))
    }
}

extension Pause {
    /// The start of the pause, and its end if it ends by itself.
    var json: JSONValue { .members(("since", since.json), ("until", end?.json)) }
}

extension PendingRest {
    fileprivate var json: JSONValue { .members(("state", .string(state.rawValue)), ("due", due.json)) }
}

extension Fix {
    var json: JSONValue {
        .members(
            ("time", time.json), ("latitude", .number(coordinate.latitude)),
            ("longitude", .number(coordinate.longitude)), ("altitude", altitude.map { .number($0) }),
            ("accuracy", horizontalAccuracy.map { .number($0) }), ("speed", speed.map { .number($0) }),
            ("course", course.map { .number($0) }), ("satellitesUsed", satellitesUsed.map { .whole($0) }),
            ("satellitesVisible", satellitesVisible.map { .whole($0) }))
    }
}

extension TrackerStatus.SinkReport {
    fileprivate func json(_ plugin: PluginStatus?) -> JSONValue {
        .members(
            ("id", .string(id.rawValue)), ("activity", .string(sync.activity.word)), ("queued", .whole(sync.queued)),
            ("oldest", sync.oldest?.json), ("delivered", .whole(sync.delivered)), ("refused", .whole(sync.refused)),
            ("passedOver", .whole(sync.passedOver)),
            ("tried", .whole(sync.tried)), ("lastAttempt", sync.lastAttempt?.json),
            ("lastSuccess", sync.lastSuccess?.json), ("lastFailure", sync.lastFailure?.json),
            ("nextDue", sync.nextDue?.json), ("failure", sync.failure.map { .string($0) }),
            ("lastRefusal", sync.lastRefusal.map { .string($0) }), (plugin?.type ?? "", plugin?.items.json))
    }
}

extension JSONValue {
    fileprivate static func counts(_ counts: [(String, Int)]) -> JSONValue {
        .object(counts.sorted { $0.0 < $1.0 }.map { Member($0, .whole($1)) })
    }
}

extension Timestamp {
    var json: JSONValue { .string(rfc3339()) }
}

extension [StatusField] {
    /// The items under their names.
    fileprivate var json: JSONValue {
        .object(map { JSONValue.Member($0.name, $0.value.json) })
    }
}

extension StatusField.Value {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .count(let count): .whole(count)
        case .number(let number): .number(number)
        case .time(let time): time.json
        case .flag(let flag): .boolean(flag)
        }
    }
}
