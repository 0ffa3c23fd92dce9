public import TrackEngine

/// A source or sink that reports facts about itself beyond those that the engine knows.
public protocol StatusReporting {
    /// The current facts, in display order. May be called at any time, each time the status is requested.
    func statusItems(now: Timestamp) -> [StatusField]
}

/// A fact about a source or sink: a named value for programs, a text for people.
public struct StatusField: Sendable, Hashable {
    /// The name of the JSON member, `inFlight`.
    public var name: String
    /// The fact for programs.
    public var value: Value
    /// The fact for people, `3 in flight`; `nil` for a fact that only programs need.
    public var text: String?
    /// The importance of the fact for people.
    public var tone: Level

    /// A fact.
    public init(_ name: String, _ value: Value, text: String? = nil, tone: Level = .plain) {
        self.name = name
        self.value = value
        self.text = text
        self.tone = tone
    }

    /// A value for programs.
    public enum Value: Sendable, Hashable {
        /// A word or a sentence.
        case text(String)
        /// A count.
        case count(Int)
        /// A quantity; the item's name includes the quantity and its unit.
        case number(Double)
        /// A point in time.
        case time(Timestamp)
        /// Whether a condition holds.
        case flag(Bool)
    }

    /// The importance of a fact for people.
    public enum Level: Sendable, Hashable {
        /// Neutral.
        case plain
        /// As expected.
        case good
        /// A problem that needs attention at some time.
        case warning
        /// A failure.
        case bad
        /// Of little importance.
        case faint
    }
}

/// The facts that a source or sink reports about itself, with its type.
package struct PluginStatus: Sendable, Hashable {
    /// The type, as in the configuration.
    package let type: String
    /// The facts.
    package let items: [StatusField]

    package init(type: String, items: [StatusField]) {
        self.type = type
        self.items = items
    }
}
