import TrackEngine
import TrackEngineSettings

extension StatusText {
    /// A sink: its queue, and the progress of its deliveries.
    static func lines(_ sink: TrackerStatus.SinkReport, now: Timestamp, _ style: StatusStyle) -> [String] {
        let sync = sink.sync
        var pieces = [ScreenText(sync.activity.word, sync.activity.tone)]
        pieces.append(queue(of: sync, now: now))
        pieces.append("\(sync.delivered) delivered")
        if sync.refused > 0 { pieces.append(ScreenText("\(sync.refused) refused", .warning)) }
        if let success = sync.lastSuccess {
            pieces.append(ScreenText("last success \(now.duration(since: success).spoken) ago", .faint))
        }
        if let refusal = sync.lastRefusal { pieces.append(ScreenText("last refused: \(refusal)", .warning)) }
        if let failure = sync.failure { pieces.append(ScreenText(failure, .bad)) }
        if sync.tried > 0 { pieces.append(ScreenText("tried \(sync.tried)", .warning)) }
        if let due = sync.nextDue { pieces.append("next in \(due.duration(since: now).spoken)") }
        let label = ScreenText(sink.id.rawValue, .strong).cut(to: indent - 1)
        return pieces.lines(behind: label, indent: indent, style)
    }

    private static func queue(of sync: SyncState, now: Timestamp) -> ScreenText {
        guard sync.queued > 0, let age = sync.oldestAge(now: now) else { return "\(sync.queued) queued" }
        return "\(sync.queued) queued, oldest \(age.spoken)"
    }
}

extension SyncState.Activity {
    fileprivate var tone: ScreenText.Style {
        switch self {
        case .waiting: .plain
        case .sending: .good
        case .backingOff: .warning
        case .paused: .bad
        }
    }
}
