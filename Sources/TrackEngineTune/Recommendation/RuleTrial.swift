internal import TrackEngine

/// Tries rules on a track, and searches for the settings that fulfil a wish.
package struct RuleTrial: Sendable {
    private let track: RecordedTrack
    private let terms: Tuning.Options
    private let meter: any TransferMeter

    /// A trial on a track.
    package init(track: RecordedTrack, terms: Tuning.Options, meter: any TransferMeter) {
        self.track = track
        self.terms = terms
        self.meter = meter
    }

    /// The result of a rule on the track; `nil` if there is no error to measure.
    package func outcome(_ rule: RuleSettings) -> RuleOutcome? {
        RuleOutcome(rule, on: track, wire: meter)
    }

    /// The best settings for a wish, among the rules tried already and a search for each rule with a setting to
    /// search.
    package func recommendation(
        for wish: Recommendation.Target, among outcomes: [RuleOutcome]
    ) -> Recommendation {
        let found = families.compactMap { search($0, for: wish) }
        let fulfilling = (outcomes + found).filter { fulfils($0, wish) }.sorted { isBetter($0, $1, for: wish) }
        let choices = RecordingRule.allCases.compactMap { kind in fulfilling.first { $0.rule.kind == kind } }
            .sorted { isBetter($0, $1, for: wish) }
        return Recommendation(wish: wish, choices: choices, concession: concession(for: wish, beside: choices.first))
    }

    // MARK: Judging

    private func fulfils(_ outcome: RuleOutcome, _ wish: Recommendation.Target) -> Bool {
        switch wish {
        case .error(let metres): outcome.error.largest <= metres && outcome.rule.bound ?? 0 <= metres
        case .megabytesPerMonth(let most):
            terms.budget.megabytes(outcome.bytes[terms.wire], in: track.recordedHours).map { $0 <= most } ?? false
        }
    }

    private func isBetter(_ left: RuleOutcome, _ right: RuleOutcome, for wish: Recommendation.Target) -> Bool {
        let (bytes, otherBytes) = (left.bytes[terms.wire], right.bytes[terms.wire])
        switch wish {
        case .error: return (bytes, left.error.largest) < (otherBytes, right.error.largest)
        case .megabytesPerMonth: return (left.error.largest, bytes) < (right.error.largest, otherBytes)
        }
    }

    // MARK: Searching

    /// Rules as a function of one setting in metres, and the values to try.
    private struct Family {
        let settings: [Double]
        let rule: @Sendable (Double) -> RuleSettings
    }

    private var families: [Family] {
        let base = terms.configuration
        let whole = RuleList.ladder.filter { $0 == $0.rounded() }
        let multiplier = base.speedMultiplier
        return [
            Family(settings: whole) { .distance(metres: Int($0), multiplier: nil, on: base) },
            Family(settings: whole) { .distance(metres: Int($0), multiplier: multiplier, on: base) },
            deviation(lag: base.maximumInterval),
        ]
    }

    private func deviation(lag: Duration) -> Family {
        let base = terms.configuration
        return Family(settings: RuleList.ladder) { .deviation(metres: $0, maximumInterval: lag, on: base) }
    }

    /// The rule with a bound, if records on a straight road may be late; only if that saves a fifth or more.
    private func concession(for wish: Recommendation.Target, beside best: RuleOutcome?) -> RuleOutcome? {
        guard terms.configuration.maximumInterval > .zero, let other = search(deviation(lag: .zero), for: wish) else {
            return nil
        }
        guard let best else { return other }
        switch wish {
        case .error: return Double(other.bytes[terms.wire]) <= 0.8 * Double(best.bytes[terms.wire]) ? other : nil
        case .megabytesPerMonth: return other.error.largest <= 0.8 * best.error.largest ? other : nil
        }
    }

    private func search(_ family: Family, for wish: Recommendation.Target) -> RuleOutcome? {
        let attempt = { (metres: Double) in outcome(family.rule(metres)) }
        switch wish {
        case .error(let metres):
            if let exact = attempt(metres), exact.rule.bound == metres, fulfils(exact, wish) { return exact }
            return ValueSearch.last(of: family.settings, attempt) { fulfils($0, wish) }
        case .megabytesPerMonth: return ValueSearch.first(of: family.settings, attempt) { fulfils($0, wish) }
        }
    }
}
