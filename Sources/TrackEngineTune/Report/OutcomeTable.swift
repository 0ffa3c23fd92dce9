internal import TrackEngine
internal import TrackEngineSettings

/// The figures of all rules as a table of the page.
struct OutcomeTable {
    private let tuning: Tuning

    /// A table of the results.
    init(_ tuning: Tuning) {
        self.tuning = tuning
    }

    private static let titles = [
        "Rule", "Records", "An hour", "Overland", "MQTT", "MQTT batch", "MB a month", "Error max", "mean",
        "95 %", "Silence",
    ]

    /// Writes the table; it can be scrolled if it is wider than the screen.
    func write(_ page: inout Markup) {
        page.element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Rules"]) { page in
            page.element("table") { page in
                page.element("thead") { page in
                    page.element("tr") { row in
                        for title in Self.titles { row.element("th", ["scope": "col"], text: title) }
                    }
                }
                page.element("tbody") { page in
                    for outcome in tuning.shown { write(outcome, &page) }
                }
            }
        }
    }

    private func write(_ outcome: RuleOutcome, _ page: inout Markup) {
        let kind = "k-\(outcome.rule.kind.rawValue)"
        page.element("tr", ["class": tuning.isRecommended(outcome) ? "\(kind) best" : kind]) { row in
            row.element("th", ["scope": "row"]) { head in
                head.text(outcome.rule.label)
                for word in tuning.remarks(outcome) { head.element("small", text: " \(word)") }
            }
            for cell in cells(outcome) { row.element("td", text: cell) }
        }
    }

    private func cells(_ outcome: RuleOutcome) -> [String] {
        [
            "\(outcome.records)", outcome.recordsPerHour.rounded().short,
            Int64(outcome.bytes.overland).asBytes, Int64(outcome.bytes.mqtt).asBytes,
            Int64(outcome.bytes.batch).asBytes, tuning.megabytesPerMonth(outcome)?.fixed(1) ?? "–",
            "\(outcome.error.largest.fixed(1)) m", "\(outcome.error.mean.fixed(1)) m",
            "\(outcome.error.percentile95.fixed(1)) m", outcome.longestSilence.clock,
        ]
    }
}
