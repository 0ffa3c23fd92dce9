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
        package var configuration = TrackerConfiguration()
        /// The tracked thing's name, which every record carries.
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
    /// - Throws: what of the device's name cannot be sent over MQTT.
    package init(
        _ track: RecordedTrack, _ terms: Terms, wishes: [Recommendation.Wish] = []
    ) throws(ConfigurationError) {
        let trial = RuleTrial(
            track: track, terms: terms, meter: try WireMeter(device: terms.device, batchSize: terms.batchSize))
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
