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

/// How bytes of a recording become megabytes a month.
public struct DataBudget: Sendable, Hashable {
    /// The hours of a month of 365.25 / 12 days.
    public static let wholeMonth = 730.5

    /// How many hours a month are recorded.
    public let hoursPerMonth: Double

    /// A month with so many hours like those of the recording.
    ///
    /// - Parameter hoursPerMonth: more than 0; by default all of them, ``wholeMonth``.
    public init(hoursPerMonth: Double = wholeMonth) {
        self.hoursPerMonth = hoursPerMonth
    }

    /// Megabytes (10⁶ bytes) a month, for bytes that a recording of so many hours takes; `nil` for one without length.
    package func megabytes(_ bytes: Int, in hours: Double) -> Double? {
        hours > 0 ? Double(bytes) / hours * hoursPerMonth / 1e6 : nil
    }
}
