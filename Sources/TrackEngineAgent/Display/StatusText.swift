import TrackEngine
import TrackEngineSettings

/// The status of an agent as lines of text, for the live view and for `trackd status`. A pure function.
package enum StatusText {
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
        let more = ScreenText("… \((lines.count - rows + 1).counted("more line"))", .faint).cut(to: style.columns)
        return lines.prefix(rows - 1) + [more.rendered(style)]
    }

    private static func heading(_ status: AgentStatus, _ style: StatusStyle) -> [String] {
        let tracker = status.tracker
        let pieces: [ScreenText] = [
            ScreenText(status.device.rawValue, .strong),
            state(of: tracker),
            ScreenText("for \(tracker.time.duration(since: status.started).spoken)", .faint),
            ScreenText(tracker.time.rfc3339(.seconds), .faint),
        ]
        return pieces.lines(behind: ScreenText(Agent.current.name, .strong).cut(to: indent - 1), indent: indent, style)
    }

    /// `running`, or `paused until 2026-05-01T14:00:00Z, no tracking or sending`
    private static func state(of tracker: TrackerStatus) -> ScreenText {
        guard let pause = tracker.pause else {
            return ScreenText(tracker.state.word, tracker.state == .running ? .good : .warning)
        }
        return ScreenText("\(pause), no tracking or sending", .warning)
    }

    /// `tracking: coarse because battery 14 %`
    private static func profileLines(_ tracking: ProfileStatus?, _ style: StatusStyle) -> [String] {
        guard let resolution = tracking?.resolution else { return [] }
        let text = ScreenText("tracking: \(resolution.words)", resolution.profile == .off ? .warning : .plain)
        return text.wrapped(to: style.columns - indent).lines(behind: "", indent: indent, style)
    }

    /// `wifi depot (02:00:5e:10:00:01)`
    private static func wifiLines(_ wifi: WifiStatus, _ style: StatusStyle) -> [String] {
        guard let words = wifi.words else { return [] }
        return ScreenText("wifi \(words)", wifi.isTrouble ? .warning : .plain).wrapped(to: style.columns - indent)
            .lines(behind: "", indent: indent, style)
    }

    /// The remote settings, one line per key.
    private static func remoteLines(_ remote: RemoteStatus, _ style: StatusStyle) -> [String] {
        remote.lines.enumerated().flatMap { index, line in
            let isProblem = line == remote.problem
            let label = ScreenText(index == 0 ? "remote" : "", .strong)
            return ScreenText(line, isProblem ? .bad : .plain).wrapped(to: style.columns - indent)
                .lines(behind: label, indent: indent, style)
        }
    }

    private static func storeLines(_ status: AgentStatus, _ style: StatusStyle) -> [String] {
        var pieces: [ScreenText] = []
        if let store = status.tracker.store {
            pieces += [
                "\(store.count.counted("record"))", ScreenText(store.bytes.asBytes),
                ScreenText("\(store.dropped) dropped", store.dropped > 0 ? .warning : .plain),
                ScreenText(store.deadLetters.counted("dead letter"), store.deadLetters > 0 ? .warning : .plain),
            ]
            if let warning = store.warning { pieces.append(ScreenText(warning, .warning)) }
        }
        if let failure = status.tracker.storeFailure { pieces.append(ScreenText(failure, .bad)) }
        if status.storeIsEncrypted { pieces.append(ScreenText("encrypted", .faint)) }
        pieces.append(ScreenText(status.storePath, .faint))
        return pieces.lines(behind: ScreenText("store", .strong), indent: indent, style)
    }

    /// The status items of a source or sink, for the lines below its status in the engine.
    static func lines(_ items: [StatusField], _ style: StatusStyle) -> [String] {
        let pieces = items.compactMap { item in item.text.map { ScreenText($0, ScreenText.Style(item.tone)) } }
        return pieces.isEmpty ? [] : pieces.lines(behind: "", indent: indent, style)
    }
}

extension ScreenText.Style {
    fileprivate init(_ tone: StatusField.Level) {
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
