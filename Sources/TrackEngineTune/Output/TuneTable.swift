import TrackEngine
import TrackEngineSettings

/// The results for a track, as text for a terminal.
///
/// If there is no room for all columns, the costs of the records and their accuracy are one below the other.
package struct TuneTable {
    /// The maximum width of the text.
    package static let width = 100
    /// The minimum width of the text, regardless of the terminal: room for a short label.
    static let leastWidth = 60

    private let tuning: Tuning
    private let width: Int

    /// The text for the results.
    ///
    /// - Parameter width: the number of columns; from ``leastWidth`` to ``width`` are used.
    package init(_ tuning: Tuning, width: Int = width) {
        self.tuning = tuning
        self.width = min(max(width, Self.leastWidth), Self.width)
    }

    /// The whole text, each line with its end.
    package var text: String {
        let parts = [summary, table, notes] + tuning.recommendations.map(recommendation) + [assumption]
        return parts.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    // MARK: The track

    private var summary: [String] {
        let track = tuning.track
        let refused = RejectionReason.allCases.compactMap { reason in
            track.refused[reason].map { "\($0) \(reason.name)" }
        }
        var lines = [
            "\(track.fixes.count) fixes in \(Duration.seconds(track.recordedSeconds).spoken) of recording, "
                + "\((track.length / 1000).fixed(1)) km from fix to fix; longest gap between fixes \(track.longestGap.spoken)"
        ]
        if track.parkedFixes > 0 { lines.append("\(track.parkedFixes) of the fixes while parked") }
        if !refused.isEmpty { lines.append("refused before any rule: \(refused.joined(separator: ", "))") }
        if track.leftOut > 0 { lines.append("\(track.leftOut) fixes were too many and are left out") }
        return lines.flatMap { $0.wrapped(to: width) }
    }

    // MARK: The table

    private struct Column: Sendable {
        let title: String
        let width: Int
        let value: @Sendable (RuleOutcome) -> String
    }

    private static let costs: [Column] = [
        Column(title: "KEPT", width: 7) { "\($0.records)" },
        Column(title: "AN HOUR", width: 7) { $0.recordsPerHour.rounded().short },
        Column(title: "OVERLAND", width: 8) { Int64($0.bytes.overland).asBytes },
        Column(title: "MQTT", width: 8) { Int64($0.bytes.mqtt).asBytes },
        Column(title: "BATCH", width: 8) { Int64($0.bytes.batch).asBytes },
    ]

    private static let truth: [Column] = [
        Column(title: "MAX m", width: 7) { $0.error.largest.fixed(1) },
        Column(title: "MEAN m", width: 6) { $0.error.mean.fixed(1) },
        Column(title: "95% m", width: 6) { $0.error.percentile95.fixed(1) },
        Column(title: "SILENCE", width: 8) { $0.longestSilence.clock },
    ]

    /// The room for a label next to these columns.
    private static func labelWidth(beside columns: [Column], in width: Int) -> Int {
        width - columns.reduce(0) { $0 + $1.width + 1 }
    }

    private var table: [String] {
        let whole = Self.labelWidth(beside: Self.costs + Self.truth, in: Self.width)
        guard width < Self.width else { return table(of: Self.costs + Self.truth, labelWidth: whole) }
        let narrow = min(whole, Self.labelWidth(beside: Self.costs, in: width))
        return table(of: Self.costs, labelWidth: narrow) + [""] + table(of: Self.truth, labelWidth: narrow)
    }

    private func table(of columns: [Column], labelWidth: Int) -> [String] {
        let head = Self.row("  RULE", labelWidth, columns, columns.map(\.title))
        return [head]
            + tuning.shown.map { outcome in
                let mark = tuning.isRecommended(outcome) ? "> " : tuning.isConfigured(outcome) ? "* " : "  "
                return Self.row(mark + outcome.rule.label, labelWidth, columns, columns.map { $0.value(outcome) })
            }
    }

    private static func row(_ label: String, _ labelWidth: Int, _ columns: [Column], _ cells: [String]) -> String {
        let cut = label.count > labelWidth ? label.prefix(max(0, labelWidth - 1)) + "…" : label[...]
        let start = String(cut) + String(repeating: " ", count: labelWidth - cut.count)
        return zip(columns, cells).reduce(start) { line, cell in
            line + String(repeating: " ", count: max(1, cell.0.width + 1 - cell.1.count)) + cell.1
        }
    }

    private var notes: [String] {
        TuneNotes(tuning.terms).lines.flatMap { $0.wrapped(to: width) }
    }

    // MARK: Recommendations

    private func recommendation(_ recommendation: Recommendation) -> [String] {
        let words = RecommendationText(recommendation, tuning)
        let lines = [words.heading] + words.sentences
        let yaml = recommendation.best.map { $0.rule.yaml.split(separator: "\n").map { "    " + $0 } } ?? []
        return lines.flatMap { $0.wrapped(to: width) } + yaml
    }

    private var assumption: [String] {
        tuning.recommendations.isEmpty ? [] : RecommendationText.assumption(tuning).wrapped(to: width)
    }
}
