/// A text that no log, error or dump may show.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text itself, for the one place that needs it.
    public let revealed: String

    /// Hides a text.
    public init(_ text: String) {
        revealed = text
    }

    /// Three stars.
    public var description: String { "***" }

    /// Three stars.
    public var debugDescription: String { "***" }

    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
