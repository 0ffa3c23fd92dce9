package import TrackEngine
package import TrackEngineSettings

extension MQTTStatus {
    /// The status items of the connection; unknown values are absent.
    package func items(now: Timestamp) -> [StatusItem] {
        func ago(_ time: Timestamp) -> String { "\(now.duration(since: time).spoken) ago" }
        var items = connectionItems(now: now)
        items.append(StatusItem("inFlight", .count(inFlight), text: "\(inFlight) in flight"))
        if let time = lastAcknowledgement {
            items.append(StatusItem("lastAcknowledgement", .time(time), text: "last PUBACK \(ago(time))", tone: .faint))
        }
        items.append(StatusItem("acknowledged", .count(acknowledged)))
        if let confirmed { items.append(StatusItem("confirmed", .count(confirmed), text: "\(confirmed) confirmed")) }
        if let time = lastConfirmation {
            items.append(
                StatusItem("lastConfirmation", .time(time), text: "last confirmation \(ago(time))", tone: .faint))
        }
        if confirmed != nil {
            items.append(.trouble("confirmationsRejected", confirmationsRejected, "confirmations not understood"))
        }
        items.append(.trouble("refused", refused, "refused by the broker"))
        if let refusal = lastRefusal {
            items.append(StatusItem("lastRefusal", .text(refusal), text: refusal, tone: .warning))
        }
        items.append(StatusItem("connections", .count(connections)))
        items.append(StatusItem("commandsDone", .count(commandsDone)))
        items.append(.trouble("commandsRejected", commandsRejected, "commands rejected"))
        return items
    }

    private func connectionItems(now: Timestamp) -> [StatusItem] {
        var items = [
            StatusItem("connection", .text(connection.word), text: connection.word, tone: connection.tone)
        ]
        if let since {
            let text = "for \(now.duration(since: since).spoken)"
            items.append(StatusItem("since", .time(since), text: text, tone: .faint))
        }
        guard case .waiting(let failure, let next) = connection else { return items }
        let pause = "next attempt in \(next.duration(since: now).spoken)"
        items.append(StatusItem("failure", .text("\(failure)"), text: "\(failure)", tone: .bad))
        items.append(StatusItem("nextAttempt", .time(next), text: pause))
        return items
    }
}

extension StatusItem {
    /// A count of errors, shown to people only if it is not 0.
    fileprivate static func trouble(_ name: String, _ count: Int, _ noun: String) -> StatusItem {
        StatusItem(name, .count(count), text: count > 0 ? "\(count) \(noun)" : nil, tone: .warning)
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

    fileprivate var tone: StatusItem.Tone {
        switch self {
        case .connected: .good
        case .idle, .connecting: .plain
        case .waiting: .bad
        case .closed: .faint
        }
    }
}
