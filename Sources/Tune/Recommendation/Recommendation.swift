/// The rule and settings that fulfil a wish best on a person's own track.
public struct Recommendation: Sendable {
    /// What a person wants.
    public enum Wish: Sendable, Hashable {
        /// No fix farther than so many metres from the rebuilt track, for as few bytes as possible.
        case error(Double)
        /// At most so many megabytes a month, as true as possible.
        case megabytesPerMonth(Double)
    }

    /// What was wanted.
    public let wish: Wish
    /// The best of each kind of rule that fulfils it, best first; empty if none does.
    public let choices: [RuleOutcome]
    /// What the rule with a promise could do if the newest record might lag behind for longer than configured, where that
    /// makes much of a difference.
    public let concession: RuleOutcome?

    /// The best of all.
    public var best: RuleOutcome? { choices.first }
}
