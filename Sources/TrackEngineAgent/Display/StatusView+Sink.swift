import TrackEngine
import TrackEngineSettings

extension StatusView {
    /// A sink: its queue, and the progress of its deliveries.
    static func lines(_ sink: TrackerStatus.SinkReport, now: Timestamp, _ style: StatusStyle) -> [String] {
        let sync = sink.sync
        var pieces = [StyledText(sync.activity.word, sync.activity.tone)]
        pieces.append(queue(of: sync, now: now))
        pieces.append("\(sync.delivered) delivered")
        if sync.refused > 0 { pieces.append(StyledText("\(sync.refused) refused", .warning)) }
        if let success = sync.lastSuccess {
            pieces.append(StyledText("last success \(now.duration(since: success).spoken) ago", .faint))
        }
        if let refusal = sync.lastRefusal { pieces.append(StyledText("last refused: \(refusal)", .warning)) }
        if let failure = sync.failure { pieces.append(StyledText(failure, .bad)) }
        if sync.tried > 0 { pieces.append(StyledText("tried \(sync.tried)", .warning)) }
        if let due = sync.nextDue { pieces.append("next in \(due.duration(since: now).spoken)") }
        let label = StyledText(sink.id.rawValue, .strong).cut(to: indent - 1)
        return pieces.lines(behind: label, indent: indent, style)
    }

    private static func queue(of sync: SyncState, now: Timestamp) -> StyledText {
        guard sync.queued > 0, let age = sync.oldestAge(now: now) else { return "\(sync.queued) queued" }
        return "\(sync.queued) queued, oldest \(age.spoken)"
    }
}

extension SyncState.Activity {
    fileprivate var tone: StyledText.Tone {
        switch self {
        case .waiting: .plain
        case .sending: .good
        case .backingOff: .warning
        case .paused: .bad
        }
    }
}
