public import TrackEngine

/// The results for a track: the outcome of each rule, and the recommendations.
public struct Tuning: Sendable {
    /// The track.
    public let track: RecordedTrack
    /// The outcome of each tried rule, the user's own first.
    public let outcomes: [RuleOutcome]
    /// One recommendation for each wish.
    public let recommendations: [Recommendation]
    /// The terms of the figures.
    public let terms: Options

    /// The configuration to vary, and the terms for counting data.
    public struct Options: Sendable {
        /// The configuration with the rule to vary. Default CalmGeo's.
        public var configuration = RecordingConfiguration()
        /// The tracked object's name, which is part of every record.
        public var device: DeviceID = "track"
        /// The number of records in a request or a batch, 1 or more. Default 250.
        public var batchSize = 250
        /// The transfer format with the bytes to minimize. Default Overland's.
        public var wire = Wire.overland
        /// The hours of recording in a month. Default: recording around the clock.
        public var budget = TransferBudget()

        /// The defaults.
        public init() {}
    }

    /// Tries CalmGeo's rule, other well-known ones and those required by the wishes on a recorded track.
    ///
    /// Each rule receives the same fixes, those that pass the gates of the configuration. They are held in memory,
    /// at most 10 million, and processed once for each tried rule, about 10 and 30 more for each wish: a second for
    /// an hour of driving at 1 Hz.
    ///
    /// - Parameters:
    ///   - fixes: the track, in its order.
    ///   - terms: the configuration to vary, and the terms for counting data.
    ///   - wishes: the wishes for which rules are recommended.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this time have lost count of their GPS weeks and
    ///     are corrected; `nil` leaves them unchanged.
    ///   - meter: counts the bytes of a rule's records; an ``EstimateMeter`` by default.
    /// - Throws: ``TuningError`` for fewer than two fixes within five minutes.
    public init(
        of fixes: some Sequence<Fix>, _ terms: Options = Options(), wishes: [Recommendation.Target],
        wallClock: Timestamp? = nil, meter: (any TransferMeter)? = nil
    ) throws(TuningError) {
        var gatherer = RecordedTrack.Recorder(terms.configuration, wallClock: wallClock)
        for fix in fixes { gatherer.take([fix]) }
        let track = try gatherer.finish().checked()
        self.init(track, terms, meter: meter ?? EstimateMeter(batchSize: terms.batchSize), wishes: wishes)
    }

    /// Tries every rule of the catalogue and those required by the wishes.
    ///
    /// - Parameter meter: counts the bytes of a rule's records; it must be at zero.
    package init(
        _ track: RecordedTrack, _ terms: Options, meter: any TransferMeter, wishes: [Recommendation.Target] = []
    ) {
        let trial = RuleTrial(track: track, terms: terms, meter: meter)
        let outcomes = RuleList.rules(on: terms.configuration).compactMap(trial.outcome)
        self.track = track
        self.terms = terms
        self.outcomes = outcomes
        recommendations = wishes.map { trial.recommendation(for: $0, among: outcomes) }
    }

    /// The megabytes a month of a rule in the chosen transfer format.
    public func megabytesPerMonth(_ outcome: RuleOutcome) -> Double? {
        terms.budget.megabytes(outcome.bytes[terms.wire], in: track.recordedHours)
    }
}

// MARK: Presentation

extension Tuning {
    /// The outcomes to show: those of the catalogue, and recommended ones beyond them.
    package var shown: [RuleOutcome] {
        recommendations.compactMap(\.best).reduce(into: outcomes) { shown, best in
            if !shown.contains(where: { $0.rule == best.rule }) { shown.append(best) }
        }
    }

    /// Whether a rule is the best for one of the wishes.
    func isRecommended(_ outcome: RuleOutcome) -> Bool {
        recommendations.contains { $0.best?.rule == outcome.rule }
    }

    /// Whether a rule is the user's own.
    func isConfigured(_ outcome: RuleOutcome) -> Bool {
        outcome.rule.configuration == terms.configuration
    }

    /// The remarks on a rule.
    package func remarks(_ outcome: RuleOutcome) -> [String] {
        (isConfigured(outcome) ? ["configured"] : []) + (isRecommended(outcome) ? ["recommended"] : [])
    }

    /// The smallest error among the wishes, in metres.
    package var wantedError: Double? {
        recommendations.compactMap { recommendation in
            if case .error(let metres) = recommendation.wish { metres } else { nil }
        }.min()
    }
}
