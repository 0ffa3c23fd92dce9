/// A line of the table: what was measured, its yardstick, and what is to be reached.
public struct Row: Sendable {
    /// What is to be reached.
    public enum Target: Sendable {
        /// Nothing; the figure is there to be known.
        case none
        /// The time of ours, divided by that of the yardstick, is at most this.
        case timesYardstick(Double)
        /// The yardstick's time, divided by ours, is at least this.
        case faster(Double)
        /// At most so many nanoseconds a unit.
        case nanoseconds(Double)
        /// At least so many units a second.
        case perSecond(Double)
        /// At most so many bytes a unit: the figures are bytes, not nanoseconds.
        case bytes(Double)
    }

    /// The suite, as `Filter`.
    public let suite: String
    /// What was measured.
    public let subject: String
    /// Nanoseconds a unit.
    public let ours: Double
    /// The yardstick and its nanoseconds a unit.
    public let yardstick: (name: String, nanoseconds: Double)?
    /// What is to be reached.
    public let target: Target
    /// Allocations a unit on the measuring thread, where counting them means something.
    public let allocations: Double?

    /// A line of the table.
    public init(
        _ suite: String, _ subject: String, _ ours: Double,
        beside yardstick: (name: String, nanoseconds: Double)? = nil,
        target: Target = .none, allocations: Double? = nil
    ) {
        self.suite = suite
        self.subject = subject
        self.ours = ours
        self.yardstick = yardstick
        self.target = target
        self.allocations = allocations
    }

    /// Whether the target is reached; `nil` without one.
    public var isReached: Bool? {
        switch target {
        case .none: nil
        case .timesYardstick(let most): yardstick.map { ours / $0.nanoseconds <= most }
        case .faster(let least): yardstick.map { $0.nanoseconds / ours >= least }
        case .nanoseconds(let most), .bytes(let most): ours <= most
        case .perSecond(let least): 1e9 / ours >= least
        }
    }
}

extension Row {
    /// The head of a table in Markdown.
    public static let tableHead = """
        | suite | measured | ns | a second | allocations | yardstick | its ns | yardstick ÷ ours | to reach | reached |
        |---|---|---|---|---|---|---|---|---|---|
        """

    /// The row as a line of a table in Markdown.
    public var tableLine: String {
        var (unit, rate) = ("", (1e9 / ours).short)
        if case .bytes = target { (unit, rate) = (" B", "") }
        let cells = [
            suite, subject, ours.short + unit, rate, allocations.map(\.short) ?? "", yardstick?.name ?? "",
            yardstick.map { $0.nanoseconds.short + unit } ?? "", yardstick.map { ($0.nanoseconds / ours).short } ?? "",
            target.words,
            isReached.map { $0 ? "yes" : "**no**" } ?? "",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

extension Row.Target {
    fileprivate var words: String {
        switch self {
        case .none: ""
        case .timesYardstick(let most): "≥ \((1 / most).short) ×"
        case .faster(let least): "≥ \(least.short) ×"
        case .nanoseconds(let most): "≤ \(most.short) ns"
        case .perSecond(let least): "≥ \(least.short)/s"
        case .bytes(let most): "≤ \(most.short) B"
        }
    }
}

extension Double {
    /// Three significant digits, large numbers with k or M.
    public var short: String {
        if self >= 999_500 { return (self / 1e6).short + " M" }
        if self >= 9_995 { return (self / 1e3).short + " k" }
        if self >= 99.95 { return String(Int(rounded())) }
        let decimals = self >= 9.995 ? 10.0 : self >= 0.9995 ? 100 : 1000
        let value = (self * decimals).rounded() / decimals
        return value == value.rounded() ? String(Int(value)) : String(value)
    }
}
