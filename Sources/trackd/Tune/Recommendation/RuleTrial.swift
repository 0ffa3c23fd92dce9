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
    package func outcome(_ rule: TunedRule) -> RuleOutcome? {
        RuleOutcome(rule, on: track, wire: meter)
    }

    /// The best settings for a wish: of the rules tried already, and of a search for each rule that can be searched.
    package func recommendation(
        for wish: Recommendation.Wish, among outcomes: [RuleOutcome]
    ) -> Recommendation {
        let found = families(for: wish).compactMap { search($0, for: wish) }
        let fulfilling = (outcomes + found).filter { fulfils($0, wish) }.sorted { isBetter($0, $1, for: wish) }
        let kinds = RecordingRule.allCases.compactMap { kind in fulfilling.first { $0.rule.kind == kind } }
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

    /// Rules as a function of one setting in metres, the settings worth a try, and the next ones if none of these will do.
    private struct Family {
        let settings: [Double]
        let rule: @Sendable (Double) -> TunedRule
    }

    private func families(for wish: Recommendation.Wish) -> [[Family]] {
        let base = terms.configuration
        let whole = RuleCatalogue.ladder.filter { $0 == $0.rounded() }
        let multiplier = base.speedMultiplier
        return [
            [Family(settings: whole) { .distance(metres: Int($0), multiplier: nil, on: base) }],
            [Family(settings: whole) { .distance(metres: Int($0), multiplier: multiplier, on: base) }],
            deviationFamilies(for: wish),
        ]
    }

    /// The user's own longest lag first; longer ones, which save records on straight roads, only if that does not do.
    private func deviationFamilies(for wish: Recommendation.Wish) -> [Family] {
        let base = terms.configuration
        switch wish {
        case .error(let metres): return [Family(settings: [metres]) { .deviation(metres: $0, on: base) }]
        case .megabytesPerMonth:
            let longer = [Duration.seconds(120), .seconds(600), .zero].filter { lag in
                base.maximumInterval > .zero && (lag == .zero || lag > base.maximumInterval)
            }
            return ([base.maximumInterval] + longer).map { lag in
                Family(settings: RuleCatalogue.ladder) { .deviation(metres: $0, maximumInterval: lag, on: base) }
            }
        }
    }

    private func search(_ families: [Family], for wish: Recommendation.Wish) -> RuleOutcome? {
        families.lazy.compactMap { search($0, for: wish) }.first
    }

    private func search(_ family: Family, for wish: Recommendation.Wish) -> RuleOutcome? {
        let attempt = { (metres: Double) in outcome(family.rule(metres)) }
        switch wish {
        case .error: return SettingSearch.last(of: family.settings, attempt) { fulfils($0, wish) }
        case .megabytesPerMonth: return SettingSearch.first(of: family.settings, attempt) { fulfils($0, wish) }
        }
    }
}
