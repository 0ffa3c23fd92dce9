import TrackEngine
import TrackEngineSettings

extension StatusText {
    /// A source: its status, the object's position, and the outcome of the fixes.
    static func lines(_ source: SourceReport, now: Timestamp, _ style: StatusStyle) -> [String] {
        var lines = state(of: source, now: now)
            .lines(behind: ScreenText(source.id.rawValue, .strong).cut(to: indent - 1), indent: indent, style)
        if let refusal = source.steadyRefusal {
            let text = "every fix is refused for \(now.duration(since: refusal.since).spoken): \(refusal.words)"
            lines += ScreenText(text, .bad).wrapped(to: style.columns - indent)
                .lines(behind: "", indent: indent, style)
        }
        if let fix = source.latest { lines += pieces(of: fix).lines(behind: "", indent: indent, style) }
        return lines + counts(of: source).lines(behind: "", indent: indent, style)
    }

    private static func state(of source: SourceReport, now: Timestamp) -> [ScreenText] {
        var pieces = [ScreenText(source.status.word, source.status.tone)]
        if let detail = source.status.detail { pieces.append(ScreenText(detail)) }
        if source.latest != nil { pieces.append(ScreenText(source.motionWord, source.isMoving ? .good : .plain)) }
        if let next = source.nextRest, next.due > now {
            pieces.append(ScreenText("\(next.state.rawValue) in \(next.due.duration(since: now).spoken)", .faint))
        }
        if let arrival = source.lastArrival {
            pieces.append(ScreenText("last fix \(now.duration(since: arrival).spoken) ago", .faint))
        }
        return pieces
    }

    private static func pieces(of fix: Fix) -> [ScreenText] {
        var pieces = [ScreenText(fix.coordinate.spoken)]
        if let accuracy = fix.horizontalAccuracy { pieces.append("±\(accuracy.fixed(1)) m") }
        if let altitude = fix.altitude { pieces.append("altitude \(altitude.fixed(0)) m") }
        if let speed = fix.speed { pieces.append("\(speed.fixed(1)) m/s (\((speed * 3.6).fixed(0)) km/h)") }
        if let course = fix.course { pieces.append("course \(course.fixed(0))°") }
        switch (fix.satellitesUsed, fix.satellitesVisible) {
        case (let used?, let visible?): pieces.append("\(used)/\(visible) satellites")
        case (let used?, nil): pieces.append("\(used) satellites")
        case (nil, let visible?): pieces.append("\(visible) satellites in view")
        case (nil, nil): break
        }
        return pieces
    }

    private static func counts(of source: SourceReport) -> [ScreenText] {
        var pieces: [ScreenText] = ["\(source.fixes) fixes", ScreenText("\(source.recorded) recorded", .strong)]
        if source.events > 0 { pieces.append("\(source.events) \(source.events == 1 ? "event" : "events")") }
        if source.odometer > 0 { pieces.append("odometer \((source.odometer / 1000).fixed(1)) km") }
        let notNeeded = source.rejected.filter { !$0.key.isOfGates }.map(\.value).reduce(0, +)
        if notNeeded > 0 { pieces.append(ScreenText("\(notNeeded) not needed", .faint)) }
        for reason in RejectionReason.allCases where reason.isOfGates {
            if let count = source.rejected[reason] { pieces.append(ScreenText("\(count) \(reason.name)", .faint)) }
        }
        for kind in SourceProblem.Kind.allCases {
            if let count = source.problems[kind] { pieces.append(ScreenText("\(count) \(kind.rawValue)", .warning)) }
        }
        return pieces
    }
}

extension SourceStatus {
    fileprivate var tone: ScreenText.Style {
        switch self {
        case .receiving: .good
        case .connecting, .waiting, .sleeping: .plain
        case .unavailable: .bad
        case .finished: .faint
        }
    }
}
