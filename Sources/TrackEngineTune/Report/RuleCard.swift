internal import TrackEngine
internal import TrackEngineSettings

/// One rule on the page: figures, maps, chart.
struct RuleCard {
    private let outcome: RuleOutcome
    private let tuning: Tuning
    private let map: TrackMap

    /// A card for the result of a rule on a track.
    init(_ outcome: RuleOutcome, _ tuning: Tuning, _ map: TrackMap) {
        self.outcome = outcome
        self.tuning = tuning
        self.map = map
    }

    /// Writes the card.
    func write(_ page: inout Markup) {
        page.element("section", ["class": "rule k-\(outcome.rule.kind.rawValue)"]) { page in
            page.element("h3") { head in
                head.text(outcome.rule.label)
                for word in tuning.remarks(outcome) { head.element("small", text: " \(word)") }
            }
            page.element("p", text: facts)
            page.element("div", ["class": "panels"]) { page in
                map.draw(outcome, &page)
                ErrorPosition(tuning.track, outcome).draw(&page)
                ErrorChart(outcome, wanted: tuning.wantedError).draw(&page)
            }
        }
    }

    private var facts: String {
        let share = Double(outcome.records) / Double(tuning.track.fixes.count) * 100
        let error = outcome.error
        return
            "\(outcome.records) records (\(share.fixed(1)) % of the fixes), \(outcome.recordsPerHour.rounded().short) "
            + "an hour. Error at most \(error.largest.fixed(1)) m, \(error.mean.fixed(1)) m on average, "
            + "\(error.percentile95.fixed(1)) m or less for 95 % of the fixes. "
            + "Longest silence \(outcome.longestSilence.clock)."
    }
}
