import TrackEngine
import TrackEngineSettings

/// The status of an agent as lines of text, for the live view and for `trackd status`. A pure function.
package enum StatusView {
    /// The column at which the text after a label begins.
    static let indent = 14

    /// The lines: each at most as wide as the style's columns, and at most as many as its rows.
    package static func lines(_ status: AgentStatus, _ style: StatusStyle = StatusStyle()) -> [String] {
        var lines = heading(status, style) + profileLines(status.tracking, style) + wifiLines(status.wifi, style)
        for source in status.tracker.sources {
            lines += self.lines(source, now: status.tracker.time, style)
            lines += self.lines(status.sourceStatus[source.id]?.items ?? [], style)
        }
        for sink in status.tracker.sinks {
            lines += self.lines(sink, now: status.tracker.time, style)
            lines += self.lines(status.sinkStatus[sink.id]?.items ?? [], style)
        }
        lines += storeLines(status, style)
        lines += remoteLines(status.remote, style)
        guard let rows = style.rows, lines.count > rows, rows > 0 else { return lines }
        let more = StyledText("… \((lines.count - rows + 1).counted("more line"))", .faint).cut(to: style.columns)
        return lines.prefix(rows - 1) + [more.rendered(style)]
    }

    private static func heading(_ status: AgentStatus, _ style: StatusStyle) -> [String] {
        let tracker = status.tracker
        let pieces: [StyledText] = [
            StyledText(status.device.rawValue, .strong),
            state(of: tracker),
            StyledText("for \(tracker.time.duration(since: status.started).spoken)", .faint),
            StyledText(tracker.time.rfc3339(.seconds), .faint),
        ]
        return pieces.lines(behind: StyledText(Agent.current.name, .strong).cut(to: indent - 1), indent: indent, style)
    }

    /// `running`, or `paused until 2026-05-01T14:00:00Z, no tracking or sending`
    private static func state(of tracker: TrackerStatus) -> StyledText {
        guard let pause = tracker.pause else {
            return StyledText(tracker.state.word, tracker.state == .running ? .good : .warning)
        }
        return StyledText("\(pause), no tracking or sending", .warning)
    }

    /// `tracking: coarse because battery 14 %`
    private static func profileLines(_ tracking: ProfileStanding?, _ style: StatusStyle) -> [String] {
        guard let resolution = tracking?.resolution else { return [] }
        let text = StyledText("tracking: \(resolution.words)", resolution.profile == .off ? .warning : .plain)
        return text.wrapped(to: style.columns - indent).lines(behind: "", indent: indent, style)
    }

    /// `wifi depot (02:00:5e:10:00:01)`
    private static func wifiLines(_ wifi: WifiStanding, _ style: StatusStyle) -> [String] {
        guard let words = wifi.words else { return [] }
        return StyledText("wifi \(words)", wifi.isTrouble ? .warning : .plain).wrapped(to: style.columns - indent)
            .lines(behind: "", indent: indent, style)
    }

    /// The remote settings, one line per key.
    private static func remoteLines(_ remote: RemoteStanding, _ style: StatusStyle) -> [String] {
        remote.lines.enumerated().flatMap { index, line in
            let isProblem = line == remote.problem
            let label = StyledText(index == 0 ? "remote" : "", .strong)
            return StyledText(line, isProblem ? .bad : .plain).wrapped(to: style.columns - indent)
                .lines(behind: label, indent: indent, style)
        }
    }

    private static func storeLines(_ status: AgentStatus, _ style: StatusStyle) -> [String] {
        var pieces: [StyledText] = []
        if let store = status.tracker.store {
            pieces += [
                "\(store.count.counted("record"))", StyledText(store.bytes.asBytes),
                StyledText("\(store.dropped) dropped", store.dropped > 0 ? .warning : .plain),
                StyledText(store.deadLetters.counted("dead letter"), store.deadLetters > 0 ? .warning : .plain),
            ]
            if let warning = store.warning { pieces.append(StyledText(warning, .warning)) }
        }
        if let failure = status.tracker.storeFailure { pieces.append(StyledText(failure, .bad)) }
        if status.storeIsEncrypted { pieces.append(StyledText("encrypted", .faint)) }
        pieces.append(StyledText(status.storePath, .faint))
        return pieces.lines(behind: StyledText("store", .strong), indent: indent, style)
    }
}

extension StatusView {
    /// The status items of a source or sink, for the lines below its status in the engine.
    static func lines(_ items: [StatusItem], _ style: StatusStyle) -> [String] {
        let pieces = items.compactMap { item in item.text.map { StyledText($0, StyledText.Tone(item.tone)) } }
        return pieces.isEmpty ? [] : pieces.lines(behind: "", indent: indent, style)
    }
}

extension StyledText.Tone {
    fileprivate init(_ tone: StatusItem.Tone) {
        self =
            switch tone {
            case .plain: .plain
            case .good: .good
            case .warning: .warning
            case .bad: .bad
            case .faint: .faint
            }
    }
}

/// The capabilities of a screen.
package struct StatusStyle: Sendable, Hashable {
    /// The number of characters per line.
    package var columns: Int
    /// The number of lines; absent if there is no limit.
    package var rows: Int?
    /// Whether escape sequences for colours may be used.
    package var usesColour: Bool

    package init(columns: Int = 80, rows: Int? = nil, usesColour: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.usesColour = usesColour
    }
}
