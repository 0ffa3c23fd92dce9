import TrackEngine
import TrackEngineMQTT

extension StatusView {
    /// A connection to a broker: whether it stands, what is under way, and what became of the messages.
    static func lines(_ broker: MQTTStatus, now: Timestamp, _ style: StatusStyle) -> [String] {
        var pieces = [StyledText(broker.connection.word, broker.connection.tone)]
        if let since = broker.since { pieces.append(StyledText("for \(now.duration(since: since).spoken)", .faint)) }
        if let failure = broker.connection.failure { pieces.append(StyledText(failure.description, .bad)) }
        if let next = broker.connection.nextAttempt {
            pieces.append("next attempt in \(next.duration(since: now).spoken)")
        }
        pieces.append("\(broker.inFlight) in flight")
        if let time = broker.lastAcknowledgement {
            pieces.append(StyledText("last PUBACK \(now.duration(since: time).spoken) ago", .faint))
        }
        if let confirmed = broker.confirmed { pieces.append("\(confirmed) confirmed") }
        if let time = broker.lastConfirmation {
            pieces.append(StyledText("last confirmation \(now.duration(since: time).spoken) ago", .faint))
        }
        if broker.confirmationsRejected > 0 {
            pieces.append(StyledText("\(broker.confirmationsRejected) confirmations not understood", .warning))
        }
        if broker.refused > 0 { pieces.append(StyledText("\(broker.refused) refused by the broker", .warning)) }
        if let refusal = broker.lastRefusal { pieces.append(StyledText(refusal, .warning)) }
        if broker.commandsRejected > 0 {
            pieces.append(StyledText("\(broker.commandsRejected) commands rejected", .warning))
        }
        return pieces.lines(behind: "", indent: indent, style)
    }
}

extension MQTTStatus.Connection {
    fileprivate var tone: StyledText.Tone {
        switch self {
        case .connected: .good
        case .idle, .connecting: .plain
        case .waiting: .bad
        case .closed: .faint
        }
    }
}
