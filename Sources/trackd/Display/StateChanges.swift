import TrackEngine

/// Turns one status after the other into lines about what has changed, for output that is no terminal.
///
/// The lines name no position: they go into logs.
package struct StateChanges: Sendable {
    private var last: AgentStatus?

    package init() {}

    /// What is different from the status before; at first, everything that is worth a line.
    package mutating func lines(for status: AgentStatus) -> [String] {
        let before = last?.tracker
        last = status
        var lines: [String] = []
        for source in status.tracker.sources {
            lines += changes(of: source, since: before?.sources.first { $0.id == source.id })
        }
        for sink in status.tracker.sinks {
            lines += changes(of: sink, since: before?.sinks.first { $0.id == sink.id })
        }
        return lines + storeChanges(status.tracker, since: before)
    }

    private func changes(of source: SourceReport, since before: SourceReport?) -> [String] {
        var lines: [String] = []
        if source.status.kind != before?.status.kind {
            let detail = source.status.detail.map { ": \($0)" } ?? ""
            lines.append("source \(source.id): \(source.status.word)\(detail)")
        }
        guard source.latest != nil else { return lines }
        let isFirst = before?.latest == nil
        if isFirst || source.motionWord != before?.motionWord {
            lines.append("source \(source.id): \(source.motionWord)")
        }
        return lines
    }

    private func changes(
        of sink: TrackerStatus.SinkReport, since before: TrackerStatus.SinkReport?
    ) -> [String] {
        let (now, then) = (Health(sink.sync), before.map { Health($0.sync) })
        guard now != then else { return [] }
        switch now {
        case .untried: return ["sink \(sink.id): nothing delivered yet, \(sink.sync.queued) queued"]
        case .delivering: return ["sink \(sink.id): delivers"]
        case .failing(let isPaused, let failure):
            let next =
                sink.sync.nextDue.map { ", next in \($0.duration(since: last?.tracker.time ?? $0).spoken)" } ?? ""
            return ["sink \(sink.id): \(isPaused ? "paused" : "backing off"): \(failure)\(next)"]
        }
    }

    /// What of a sink is worth a line; a delivery under way changes nothing.
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

    private func storeChanges(_ status: TrackerStatus, since before: TrackerStatus?) -> [String] {
        var lines: [String] = []
        if let failure = status.storeFailure, failure != before?.storeFailure { lines.append("store: \(failure)") }
        if status.storeFailure == nil, before?.storeFailure != nil { lines.append("store: works again") }
        if let warning = status.store?.warning, warning != before?.store?.warning { lines.append("store: \(warning)") }
        return lines
    }
}

extension SourceStatus {
    /// What makes two states the same to a reader of a log: not how long until the next try, which follows a semicolon.
    fileprivate var kind: [String] {
        [word, detail?.split(separator: ";").first.map(String.init) ?? ""]
    }
}
