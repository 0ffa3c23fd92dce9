public import TrackEngine

/// All that is found out about a track: what each rule makes of it, and what is recommended.
public struct Tuning: Sendable {
    /// The track.
    public let track: RecordedTrack
    /// What each tried rule makes of it, the user's own first.
    public let outcomes: [RuleOutcome]
    /// One for each wish.
    public let recommendations: [Recommendation]
    /// How data are counted.
    public let terms: Terms

    /// How data are counted, and on whose configuration.
    public struct Terms: Sendable {
        /// The configuration whose rule is varied. Default CalmGeo's.
        public var configuration = RecordingConfiguration()
        /// The tracked object's name, which every record carries.
        public var device: DeviceID = "track"
        /// How many records a request or a batch has, 1 or more. Default 250.
        public var batchSize = 250
        /// Which way's bytes are to be few. Default Overland's.
        public var wire = Wire.overland
        /// What a month is. Default: recording around the clock.
        public var budget = DataBudget()

        /// The defaults.
        public init() {}
    }

    /// Tries CalmGeo's rule, other well-known ones and whatever the wishes ask for on a recorded track.
    ///
    /// Each rule sees the same fixes, those that pass the gates of the configuration. They are held in memory, at most 10
    /// million, and are gone through once for each rule that is tried, some 10 and 30 more for each wish: a second for an
    /// hour of driving at 1 Hz.
    ///
    /// - Parameters:
    ///   - fixes: the track, in its order.
    ///   - terms: the configuration to vary, and how data are counted.
    ///   - wishes: what a rule is to be recommended for.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this have lost count of their GPS weeks and are put right;
    ///     `nil` leaves them as they are.
    ///   - meter: counts the bytes of a rule's records; an ``EstimatedMeter`` by default.
    /// - Throws: ``TuningError`` for fewer than two fixes within five minutes.
    public init(
        of fixes: some Sequence<Fix>, _ terms: Terms = Terms(), wishes: [Recommendation.Wish],
        wallClock: Timestamp? = nil, meter: (any TransferMeter)? = nil
    ) throws(TuningError) {
        var gatherer = RecordedTrack.Gatherer(terms.configuration, wallClock: wallClock)
        for fix in fixes { gatherer.take([fix]) }
        let track = try gatherer.finish().checked()
        self.init(track, terms, meter: meter ?? EstimatedMeter(batchSize: terms.batchSize), wishes: wishes)
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
    public func megabytesPerMonth(_ outcome: RuleOutcome) -> Double? {
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
