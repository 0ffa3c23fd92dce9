package import TrackEngine
package import TrackEngineSettings

extension MQTTStatus {
    /// The status items of the connection; unknown values are absent.
    package func items(now: Timestamp) -> [StatusField] {
        func ago(_ time: Timestamp) -> String { "\(now.duration(since: time).spoken) ago" }
        var items = connectionItems(now: now)
        items.append(StatusField("inFlight", .count(inFlight), text: "\(inFlight) in flight"))
        if let time = lastAcknowledgement {
            items.append(
                StatusField("lastAcknowledgement", .time(time), text: "last PUBACK \(ago(time))", tone: .faint))
        }
        items.append(StatusField("acknowledged", .count(acknowledged)))
        if let confirmed { items.append(StatusField("confirmed", .count(confirmed), text: "\(confirmed) confirmed")) }
        if let time = lastConfirmation {
            items.append(
                StatusField("lastConfirmation", .time(time), text: "last confirmation \(ago(time))", tone: .faint))
        }
        if confirmed != nil {
            items.append(.trouble("confirmationsRejected", confirmationsRejected, "confirmations not understood"))
        }
        items.append(.trouble("refused", refused, "refused by the broker"))
        if let refusal = lastRefusal {
            items.append(StatusField("lastRefusal", .text(refusal), text: refusal, tone: .warning))
        }
        items.append(StatusField("connections", .count(connections)))
        items.append(StatusField("commandsDone", .count(commandsDone)))
        items.append(.trouble("commandsRejected", commandsRejected, "commands rejected"))
        return items
    }

    private func connectionItems(now: Timestamp) -> [StatusField] {
        var items = [
            StatusField("connection", .text(connection.word), text: connection.word, tone: connection.tone)
        ]
        if let since {
            let text = "for \(now.duration(since: since).spoken)"
            items.append(StatusField("since", .time(since), text: text, tone: .faint))
        }
        guard case .waiting(let failure, let next) = connection else { return items }
        let pause = "next attempt in \(next.duration(since: now).spoken)"
        items.append(StatusField("failure", .text("\(failure)"), text: "\(failure)", tone: .bad))
        items.append(StatusField("nextAttempt", .time(next), text: pause))
        return items
    }
}

extension StatusField {
    /// A count of errors, shown to people only if it is not 0.
    fileprivate static func trouble(_ name: String, _ count: Int, _ noun: String) -> StatusField {
        StatusField(name, .count(count), text: count > 0 ? "\(count) \(noun)" : nil, tone: .warning)
    }
}

extension MQTTStatus.Connection {
    /// The state as a word.
    fileprivate var word: String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .connected: "connected"
        case .waiting: "disconnected"
        case .closed: "closed"
        }
    }

    fileprivate var tone: StatusField.Level {
        switch self {
        case .connected: .good
        case .idle, .connecting: .plain
        case .waiting: .bad
        case .closed: .faint
        }
    }
}
