internal import TrackEngine
internal import TrackEngineSettings

/// A recommendation as text, for the terminal and for the report.
package struct RecommendationText {
    private let recommendation: Recommendation
    private let tuning: Tuning

    /// Creates the text of a recommendation.
    package init(_ recommendation: Recommendation, _ tuning: Tuning) {
        self.recommendation = recommendation
        self.tuning = tuning
    }

    /// The wish and the recommended rule, on one line.
    package var heading: String {
        "For \(wish): " + (recommendation.best?.rule.label ?? "no rule that was tried")
    }

    /// The reason and the alternatives.
    package var sentences: [String] {
        let head = recommendation.best.map { [reason($0)] } ?? [disappointment]
        let others = recommendation.choices.dropFirst().map { "With \(figures($0)) here." }
        let concession = recommendation.concession.map {
            "If the newest record may be old on a straight road: \(figures($0)), longest silence "
                + "\($0.longestSilence.clock)."
        }
        return head + others + [concession].compactMap(\.self)
    }

    private var wish: String {
        switch recommendation.wish {
        case .error(let metres): "at most \(metres.short) m of error"
        case .megabytesPerMonth(let most): "at most \(most.short) MB a month (\(tuning.terms.wire.name))"
        }
    }

    private func reason(_ best: RuleOutcome) -> String {
        let share = Double(best.records) / Double(tuning.track.fixes.count) * 100
        let figures =
            "\(best.records) records (\(share.fixed(1)) % of the fixes), \(data(best)), "
            + "at most \(best.error.largest.fixed(1)) m wrong"
        guard let bound = best.rule.bound else { return figures + " here; the rule has no bound on other tracks." }
        return figures + " here; on any track the rule promises \(bound.short) m on the move."
    }

    private func figures(_ other: RuleOutcome) -> String {
        let wire = tuning.terms.wire
        let ratio = recommendation.best.map { Double(other.bytes[wire]) / Double(max(1, $0.bytes[wire])) }
        let times = ratio.map { " (\($0.fixed(1)) times the data)" } ?? ""
        return "\(other.rule.label): \(other.records) records, \(data(other))\(times), "
            + "at most \(other.error.largest.fixed(1)) m wrong"
    }

    private func data(_ outcome: RuleOutcome) -> String {
        tuning.megabytesPerMonth(outcome).map { "\($0.short) MB a month" } ?? "no length of time"
    }

    /// The assumption for monthly figures.
    static func assumption(_ tuning: Tuning) -> String {
        let budget = tuning.terms.budget
        let hours =
            budget.hoursPerMonth == TransferBudget.wholeMonth
            ? "recording around the clock (\(budget.hoursPerMonth.short) h a month)"
            : "\(budget.hoursPerMonth.short) h of recording a month"
        return "A month is \(hours), all of it like these \(Duration.seconds(tuning.track.recordedSeconds).spoken); "
            + "--hours-per-month changes that."
    }

    /// The heading, the sentences and the lines for a configuration file.
    package var lines: [String] {
        let yaml = recommendation.best.map { $0.rule.yaml.split(separator: "\n").map { "    " + $0 } } ?? []
        return [heading] + sentences + yaml
    }

    private var disappointment: String {
        switch recommendation.wish {
        case .error: "Even the densest setting that was tried is farther off."
        case .megabytesPerMonth: "Even the sparsest setting that was tried takes more."
        }
    }
}

extension Tuning {
    /// The recommendations as text, each with the lines for a configuration file; every line with its line ending.
    public var summary: String {
        recommendations.flatMap { RecommendationText($0, self).lines }.map { $0 + "\n" }.joined()
    }
}
