extension TrackerStatus: CustomStringConvertible {
    /// One line for a log: the state, every source, every sink and the store; no position.
    public var description: String {
        var parts =
            ["\(state)"] + (pause.map { ["\($0)"] } ?? []) + sources.map(\.description) + sinks.map(\.description)
        if let store { parts.append("store: \(store)") }
        if let storeFailure { parts.append("store failed: \(storeFailure)") }
        return parts.joined(separator: "; ")
    }
}

extension TrackerState: CustomStringConvertible {
    /// The state in one word.
    public var description: String {
        switch self {
        case .stopped: "stopped"
        case .running: "running"
        case .stopping: "stopping"
        }
    }
}

extension SourceReport: CustomStringConvertible {
    /// Name, status, motion and counts, as in `gpsd: receiving, moving, 120 fixes, 17 recorded`; no position.
    public var description: String {
        var parts = ["\(status)", isStandby ? "standby" : isMoving ? "moving" : "still"]
        parts += ["\(fixes) fixes", "\(recorded) recorded"]
        let problems = problems.values.reduce(0, +)
        if problems > 0 { parts.append("\(problems) problems") }
        return "\(id): \(parts.joined(separator: ", "))"
    }
}

extension SourceStatus: CustomStringConvertible {
    /// The status in a word, with the source's detail.
    public var description: String {
        switch self {
        case .connecting: "connecting"
        case .waiting(let detail): "waiting (\(detail))"
        case .receiving: "receiving"
        case .sleeping: "sleeping"
        case .unavailable(let detail): "unavailable (\(detail))"
        case .finished: "finished"
        }
    }
}

extension TrackerStatus.SinkReport: CustomStringConvertible {
    /// Name and deliveries, as in `home: waiting, 3 queued, 120 delivered`.
    public var description: String { "\(id): \(sync)" }
}

extension SyncState: CustomStringConvertible {
    /// Activity, counts, and why the last delivery failed.
    public var description: String {
        var parts = ["\(activity)", "\(queued) queued", "\(delivered) delivered"]
        if refused > 0 { parts.append("\(refused) refused") }
        if let failure { parts.append("failed \(tried) times: \(failure)") }
        return parts.joined(separator: ", ")
    }
}

extension SyncState.Activity: CustomStringConvertible {
    /// The activity in one or two words.
    public var description: String {
        switch self {
        case .waiting: "waiting"
        case .sending: "sending"
        case .backingOff: "backing off"
        case .paused: "paused"
        }
    }
}

extension StoreStatus: CustomStringConvertible {
    /// Counts and size, as in `120 records, 40960 bytes`, and a warning if there is one.
    public var description: String {
        var parts = ["\(count) records", "\(bytes) bytes"]
        if dropped > 0 { parts.append("\(dropped) dropped") }
        if deadLetters > 0 { parts.append("\(deadLetters) dead letters") }
        if let warning { parts.append(warning) }
        return parts.joined(separator: ", ")
    }
}

extension TrackerDecision: CustomStringConvertible {
    /// The decision and its fix; no position.
    public var description: String { description(revealingPosition: false) }

    /// Returns the decision and its fix, with the position on request.
    public func description(revealingPosition: Bool) -> String {
        switch self {
        case .recorded(let record): "recorded \(record.description(revealingPosition: revealingPosition))"
        case .rejected(let fix, let source, let reason):
            "rejected \(reason.name) from \(source): \(fix.description(revealingPosition: revealingPosition))"
        case .standby(let source): "standby of \(source)"
        }
    }
}
