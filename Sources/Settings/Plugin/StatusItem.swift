public import TrackEngine

/// A source or sink that has more to say about itself than the engine knows.
public protocol StatusReporting {
    /// The facts at this moment, in the order in which they are shown. Called whenever somebody looks, at any time.
    func statusItems(now: Timestamp) -> [StatusItem]
}

/// A fact about a source or sink: for programs under a name, for people in words.
public struct StatusItem: Sendable, Hashable {
    /// The name of the JSON member, `inFlight`.
    public var name: String
    /// The fact for programs.
    public var value: Value
    /// The fact for people, `3 in flight`; `nil` if only programs are told.
    public var text: String?
    /// What people should make of it.
    public var tone: Tone

    /// A fact.
    public init(_ name: String, _ value: Value, text: String? = nil, tone: Tone = .plain) {
        self.name = name
        self.value = value
        self.text = text
        self.tone = tone
    }

    /// A value for programs.
    public enum Value: Sendable, Hashable {
        /// A word or a sentence.
        case text(String)
        /// How many.
        case count(Int)
        /// A quantity; the name says of what, and in which unit.
        case number(Double)
        /// A moment.
        case time(Timestamp)
        /// Whether something holds.
        case flag(Bool)
    }

    /// What people should make of a fact.
    public enum Tone: Sendable, Hashable {
        /// It is as it is.
        case plain
        /// As it should be.
        case good
        /// Somebody should look at some time.
        case warning
        /// It does not work.
        case bad
        /// Of little weight.
        case faint
    }
}

/// What a source or sink says about itself, and of which type it is.
package struct PluginStatus: Sendable, Hashable {
    /// The type, as in the configuration.
    package let type: String
    /// The facts.
    package let items: [StatusItem]

    package init(type: String, items: [StatusItem]) {
        self.type = type
        self.items = items
    }
}
