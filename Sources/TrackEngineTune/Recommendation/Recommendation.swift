/// The rule and settings that fulfil a wish best on a user's own track.
public struct Recommendation: Sendable {
    /// A user's wish.
    public enum Target: Sendable, Hashable {
        /// No fix farther than this many metres from the rebuilt track, for as few bytes as possible.
        case error(Double)
        /// At most this many megabytes a month, as accurate as possible.
        case megabytesPerMonth(Double)
    }

    /// The wish.
    public let wish: Target
    /// The best rule of each kind that fulfils the wish, best first; empty if none does.
    public let choices: [RuleOutcome]
    /// The result of the rule with a bound if the newest record may be older than configured; `nil` if that makes
    /// little difference.
    public let concession: RuleOutcome?

    /// The best of all choices.
    public var best: RuleOutcome? { choices.first }
}

/// Converts bytes of a recording to megabytes a month.
public struct TransferBudget: Sendable, Hashable {
    /// The hours of a month of 365.25 / 12 days.
    public static let wholeMonth = 730.5

    /// The hours of recording in a month.
    public let hoursPerMonth: Double

    /// A month of recordings like this one.
    ///
    /// - Parameter hoursPerMonth: the hours of recording, more than 0; by default the whole month, ``wholeMonth``.
    public init(hoursPerMonth: Double = wholeMonth) {
        self.hoursPerMonth = hoursPerMonth
    }

    /// Megabytes (10⁶ bytes) a month, for the bytes of a recording of this many hours; `nil` for one without length.
    package func megabytes(_ bytes: Int, in hours: Double) -> Double? {
        hours > 0 ? Double(bytes) / hours * hoursPerMonth / 1e6 : nil
    }
}
