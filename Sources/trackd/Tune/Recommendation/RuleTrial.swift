internal import TrackEngine

/// Tries rules on a track, and searches for the settings that fulfil a wish.
package struct RuleTrial: Sendable {
    private let track: RecordedTrack
    private let terms: Tuning.Terms
    private let meter: WireMeter

    /// A trial on a track.
    package init(track: RecordedTrack, terms: Tuning.Terms, meter: WireMeter) {
        self.track = track
        self.terms = terms
        self.meter = meter
    }

    /// What a rule makes of the track; `nil` if that is no record.
    package func outcome(_ rule: RecordingRule) -> RuleOutcome? {
        RuleOutcome(rule, on: track, wire: meter)
    }

    /// The best settings for a wish: of the rules tried already, and of a search for each rule that can be searched.
    package func recommendation(
        for wish: Recommendation.Wish, among outcomes: [RuleOutcome]
    ) -> Recommendation {
        let found = searchableRules.compactMap { rule in search(rule, for: wish) }
        let fulfilling = (outcomes + found).filter { fulfils($0, wish) }.sorted { isBetter($0, $1, for: wish) }
        let kinds = RecordingRule.Kind.allCases.compactMap { kind in fulfilling.first { $0.rule.kind == kind } }
        return Recommendation(wish: wish, choices: kinds.sorted { isBetter($0, $1, for: wish) })
    }

    // MARK: Judging

    private func fulfils(_ outcome: RuleOutcome, _ wish: Recommendation.Wish) -> Bool {
        switch wish {
        case .error(let metres): outcome.error.largest <= metres && outcome.rule.bound ?? 0 <= metres
        case .megabytesPerMonth(let most):
            terms.budget.megabytes(outcome.bytes[terms.wire], in: track.recordedHours).map { $0 <= most } ?? false
        }
    }

    private func isBetter(_ left: RuleOutcome, _ right: RuleOutcome, for wish: Recommendation.Wish) -> Bool {
        let (bytes, otherBytes) = (left.bytes[terms.wire], right.bytes[terms.wire])
        switch wish {
        case .error: return (bytes, left.error.largest) < (otherBytes, right.error.largest)
        case .megabytesPerMonth: return (left.error.largest, bytes) < (right.error.largest, otherBytes)
        }
    }

    // MARK: Searching

    /// A rule as a function of its one setting in metres, and the settings worth a try.
    private struct SearchableRule {
        let settings: [Double]
        let rule: @Sendable (Double) -> RecordingRule
    }

    private var searchableRules: [SearchableRule] {
        let base = terms.configuration
        let whole = RuleCatalogue.ladder.filter { $0 == $0.rounded() }
        let multiplier = base.speedMultiplier
        return [
            SearchableRule(settings: whole) { .distance(metres: Int($0), multiplier: nil, on: base) },
            SearchableRule(settings: whole) { .distance(metres: Int($0), multiplier: multiplier, on: base) },
        ]
    }

    private func search(_ rule: SearchableRule, for wish: Recommendation.Wish) -> RuleOutcome? {
        let attempt = { (metres: Double) in outcome(rule.rule(metres)) }
        switch wish {
        case .error: return SettingSearch.last(of: rule.settings, attempt) { fulfils($0, wish) }
        case .megabytesPerMonth: return SettingSearch.first(of: rule.settings, attempt) { fulfils($0, wish) }
        }
    }
}
