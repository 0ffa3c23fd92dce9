import TrackEngine
import TrackEngineSettings

/// The stops and trips of tracks, as text for a terminal.
package struct TripTable {
    /// The maximum number of rows to print for a track.
    static let mostRows = 500

    private let trials: [TripTrial]

    /// The text for the results.
    package init(_ trials: [TripTrial]) { self.trials = trials }

    /// The whole text, each line with its end.
    package var text: String {
        let settings = trials.first.map { [$0.settingsText] } ?? []
        let parts = [settings] + TripTrial.worstFirst(trials).map(track) + [scores, notes]
        return parts.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    private func track(_ trial: TripTrial) -> [String] {
        let rows = TripRow.rows(of: trial)
        var lines = ["\(trial.name): \(trial.summary)"]
        if let judged = trial.judged { lines.append(judged) }
        guard !rows.isEmpty else { return lines }
        let isJudged = trial.judgement != nil
        lines.append(Self.row("", ["FROM s", "TO s", "LASTS"], isJudged ? "LABELS" : nil, "WHAT"))
        for row in rows.prefix(Self.mostRows) {
            let numbers = [
                trial.offset(row.span.begin).fixed(0), trial.offset(row.span.end).fixed(0),
                Duration.seconds(row.span.length).clock,
            ]
            lines.append(Self.row(row.title, numbers, isJudged ? row.word : nil, row.details))
        }
        if rows.count > Self.mostRows { lines.append("  \(rows.count - Self.mostRows) more rows are not shown") }
        return lines
    }

    private static func row(_ title: String, _ numbers: [String], _ word: String?, _ details: String) -> String {
        let head = "  " + title.padded(to: 9)
        let figures = numbers.map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }.joined()
        return head + figures + "  " + (word.map { $0.padded(to: 7) + " " } ?? "") + details
    }

    // MARK: Scores

    private var scores: [String] {
        guard let total = TripTrial.total(trials) else { return [] }
        let widths = ScoreTable.titles.map { max($0.count, 6) + 2 }
        func line(_ cells: [String]) -> String {
            zip(cells, widths).map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }.joined()
        }
        return [line(ScoreTable.titles.map { $0.uppercased() })]
            + zip(TripTrial.durations, total).map { line(ScoreTable.cells($1, of: $0)) }
    }

    private var notes: [String] {
        let notes = trials.contains { $0.judgement != nil } ? TripNotes.judged : TripNotes.plain
        return notes.flatMap { $0.wrapped(to: TuneTable.width) }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
