import TrackEngine
import TrackEngineSettings

/// Converts successive statuses into changes, for output that is not a terminal.
package struct StatusChangeText: Sendable {
    private var last: AgentStatus?

    package init() {}

    /// The differences from the previous status; for the first one, every state that is worth a line.
    package mutating func changes(for status: AgentStatus) -> [StateChange] {
        let before = last?.tracker
        last = status
        var all = pauseChanges(status.tracker, since: before)
        for source in status.tracker.sources {
            all += changes(of: source, since: before?.sources.first { $0.id == source.id })
        }
        for sink in status.tracker.sinks {
            all += changes(of: sink, since: before?.sinks.first { $0.id == sink.id })
        }
        return all + storeChanges(status.tracker, since: before)
    }

    private func changes(of source: SourceReport, since before: SourceReport?) -> [StateChange] {
        var changes: [StateChange] = []
        if source.status.kind != before?.status.kind {
            let (word, detail) = (source.status.word, source.status.detail)
            changes.append(
                StateChange(.source, source.id.rawValue, word, detail, isTrouble: source.status.isTrouble))
        }
        if let refusal = source.steadyRefusal, refusal.reason != before?.steadyRefusal?.reason {
            changes.append(
                StateChange(.source, source.id.rawValue, "every fix is refused", refusal.words, isTrouble: true))
        }
        if source.steadyRefusal == nil, before?.steadyRefusal != nil {
            changes.append(StateChange(.source, source.id.rawValue, "fixes pass again"))
        }
        guard source.latest != nil else { return changes }
        let isFirst = before?.latest == nil
        if isFirst || source.motionWord != before?.motionWord {
            changes.append(StateChange(.source, source.id.rawValue, source.motionWord))
        }
        return changes
    }

    private func changes(
        of sink: TrackerStatus.SinkReport, since before: TrackerStatus.SinkReport?
    ) -> [StateChange] {
        let (now, then) = (Health(sink.sync), before.map { Health($0.sync) })
        guard now != then else { return [] }
        let name = sink.id.rawValue
        switch now {
        case .untried: return [StateChange(.sink, name, "no delivery yet, \(sink.sync.queued) queued")]
        case .delivering: return [StateChange(.sink, name, "delivers")]
        case .failing(let isPaused, let failure):
            let next =
                sink.sync.nextDue.map { ", next in \($0.duration(since: last?.tracker.time ?? $0).spoken)" } ?? ""
            let state = isPaused ? "paused" : "backing off"
            return [StateChange(.sink, name, state, failure + next, isTrouble: true)]
        }
    }

    /// The states of a sink that are worth a line; a delivery in progress is no change.
    private enum Health: Hashable {
        case untried
        case delivering
        case failing(isPaused: Bool, String)

        init(_ sync: SyncState) {
            if let failure = sync.failure {
                self = .failing(isPaused: sync.activity == .paused, failure)
            } else {
                self = sync.lastSuccess == nil ? .untried : .delivering
            }
        }
    }

    private func pauseChanges(_ status: TrackerStatus, since before: TrackerStatus?) -> [StateChange] {
        guard status.pause != before?.pause else { return [] }
        return [StateChange(.tracking, nil, status.pause.map { "\($0)" } ?? "resumed")]
    }

    private func storeChanges(_ status: TrackerStatus, since before: TrackerStatus?) -> [StateChange] {
        var changes: [StateChange] = []
        if let failure = status.storeFailure, failure != before?.storeFailure {
            changes.append(StateChange(.store, nil, failure, isTrouble: true))
        }
        if status.storeFailure == nil, before?.storeFailure != nil {
            changes.append(StateChange(.store, nil, "works again"))
        }
        if let warning = status.store?.warning, warning != before?.store?.warning {
            changes.append(StateChange(.store, nil, warning, isTrouble: true))
        }
        return changes
    }
}

extension SourceStatus {
    fileprivate var isTrouble: Bool {
        if case .unavailable = self { true } else { false }
    }

    /// The parts of a status that matter in a log: not the time until the next attempt, which follows a semicolon.
    fileprivate var kind: [String] {
        [word, detail?.split(separator: ";").first.map(String.init) ?? ""]
    }
}
