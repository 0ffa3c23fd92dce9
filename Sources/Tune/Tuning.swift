package import TrackEngine

/// All that is found out about a track: what each rule makes of it, and what is recommended.
package struct Tuning: Sendable {
    /// The track.
    package let track: RecordedTrack
    /// What each tried rule makes of it, the user's own first.
    package let outcomes: [RuleOutcome]
    /// One for each wish.
    package let recommendations: [Recommendation]
    /// How data are counted.
    package let terms: Terms

    /// How data are counted, and on whose configuration.
    package struct Terms: Sendable {
        /// The user's configuration, whose rule is varied.
        package var configuration = RecordingConfiguration()
        /// The tracked object's name, which every record carries.
        package var device: DeviceID = "track"
        /// How many records a request or a batch has.
        package var batchSize = 250
        /// Which way's bytes are to be few.
        package var wire = Wire.overland
        /// What a month is.
        package var budget = DataBudget()

        /// The defaults.
        package init() {}
    }

    /// Tries every rule of the catalogue and whatever else the wishes ask for.
    ///
    /// - Parameter meter: counts the bytes of a rule's records; it is at zero.
    package init(
        _ track: RecordedTrack, _ terms: Terms, meter: any TransferMeter, wishes: [Recommendation.Wish] = []
    ) {
        let trial = RuleTrial(track: track, terms: terms, meter: meter)
        let outcomes = RuleCatalogue.rules(on: terms.configuration).compactMap(trial.outcome)
        self.track = track
        self.terms = terms
        self.outcomes = outcomes
        recommendations = wishes.map { trial.recommendation(for: $0, among: outcomes) }
    }

    /// Megabytes a month of a rule on the way that counts.
    package func megabytesPerMonth(_ outcome: RuleOutcome) -> Double? {
        terms.budget.megabytes(outcome.bytes[terms.wire], in: track.recordedHours)
    }
}

// MARK: Showing it

extension Tuning {
    /// The outcomes to show: those of the catalogue, and those that are recommended beyond them.
    package var shown: [RuleOutcome] {
        recommendations.compactMap(\.best).reduce(into: outcomes) { shown, best in
            if !shown.contains(where: { $0.rule == best.rule }) { shown.append(best) }
        }
    }

    /// Whether a rule is the best for one of the wishes.
    package func isRecommended(_ outcome: RuleOutcome) -> Bool {
        recommendations.contains { $0.best?.rule == outcome.rule }
    }

    /// Whether a rule is the user's own.
    package func isConfigured(_ outcome: RuleOutcome) -> Bool {
        outcome.rule.configuration == terms.configuration
    }

    /// What is particular about a rule.
    package func remarks(_ outcome: RuleOutcome) -> [String] {
        (isConfigured(outcome) ? ["configured"] : []) + (isRecommended(outcome) ? ["recommended"] : [])
    }

    /// The smallest error that is wished for, in metres.
    package var wantedError: Double? {
        recommendations.compactMap { recommendation in
            if case .error(let metres) = recommendation.wish { metres } else { nil }
        }.min()
    }
}
